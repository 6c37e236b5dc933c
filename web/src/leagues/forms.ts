/** The forms of leagues in the API. */
import type { Schemas } from '../api/client';

export type League = Schemas['LeagueInfo'];
export type Standing = Schemas['LeagueStanding'];
export type Slot = Schemas['LeagueMatch'];
export type Entry = Schemas['LeagueEntry'];
export type OwnEntry = Schemas['OwnEntry'];
export type LeagueRecord = Schemas['LeagueRecord'];
export type NewLeague = Schemas['NewLeague'];

export const FORMATS = ['round-robin', 'swiss', 'gauntlet', 'knock-out'] as const;
export type Format = (typeof FORMATS)[number];

export function addressOfLeague(id: string): string {
  return `/tournaments/${encodeURIComponent(id)}`;
}

/** Whether a match of the schedule will not change any more, unless it is played again. */
export function isSettled(slot: Slot): boolean {
  return !['planned', 'waiting', 'running'].includes(slot.state);
}

/** Whether the table of a match is open or in play. */
export function isOn(slot: Slot): boolean {
  return slot.state === 'waiting' || slot.state === 'running';
}
