/** Settings of a room as a form has them, and the reasons for which they cannot be used. */
import type { Schemas } from '../api/client';
import { t } from '../texts';

export type RoomInfo = Schemas['RoomInfo'];
export type RoomFields = Schemas['RoomFields'];
export type RoomChanges = Schemas['RoomChanges'];
export type AllBounds = Schemas['RoomList']['bounds'];

/** The settings in the form: numbers are texts while they are typed. */
export interface RoomForm {
  ruleset: string;
  max_turn: string;
  round_time: string;
  /** seconds, full or never. */
  first: string;
  firstSeconds: string;
  finish_time: string;
  /** Empty: no limit. */
  max_player: string;
  allow_join_after_start: boolean;
  allow_manual_mode: boolean;
  replay_enable: string;
  room_description: string;
}

export type Problems = Partial<Record<keyof RoomForm, string>>;

export const NAME = /^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$/;
export const MAX_PLAYERS = ['2', '4', '8'];

/** Settings that suit people, who need more time than bots. */
export const FOR_PEOPLE: Partial<RoomFields> = { round_time: 10, max_turn: 200, first_round_time: 'never' };

export function formOf(fields: RoomFields): RoomForm {
  const first = fields.first_round_time;
  const isTimed = typeof first === 'number';
  return {
    ruleset: fields.ruleset,
    max_turn: String(fields.max_turn),
    round_time: String(fields.round_time),
    first: isTimed ? 'seconds' : first,
    firstSeconds: isTimed ? String(first) : '10',
    finish_time: String(fields.finish_time),
    max_player: fields.max_player === null ? '' : String(fields.max_player),
    allow_join_after_start: fields.allow_join_after_start,
    allow_manual_mode: fields.allow_manual_mode,
    replay_enable: fields.replay_enable,
    room_description: fields.room_description,
  };
}

/** Why settings cannot be used, by setting. */
export function problemsOf(form: RoomForm, bounds: AllBounds): Problems {
  const problems: Problems = {};
  const check = (field: 'max_turn' | 'round_time' | 'firstSeconds' | 'finish_time', name: string = field) => {
    const why = whyNot(form[field], bounds[name], field === 'max_turn');
    if (why !== null) problems[field] = why;
  };
  check('max_turn');
  check('round_time');
  check('finish_time');
  if (form.first === 'seconds') check('firstSeconds', 'first_round_time');
  const longest = bounds['room_description']?.most ?? 500;
  if ([...form.room_description].length > longest) problems.room_description = t.rooms.settings.tooLong(longest);
  return problems;
}

function whyNot(text: string, bounds: Schemas['Bounds'] | undefined, isWhole: boolean): string | null {
  const value = Number(text);
  if (String(text).trim() === '' || !Number.isFinite(value)) return t.rooms.settings.notNumber;
  if (isWhole && !Number.isInteger(value)) return t.rooms.settings.notWhole;
  if (bounds !== undefined && (value < bounds.least || value > bounds.most))
    return t.rooms.settings.outside(bounds.least, bounds.most);
  return null;
}

/** The settings of the form that differ from those of the room or preset. */
export function changesOf(form: RoomForm, before: RoomFields): RoomChanges {
  const wanted: Record<string, unknown> = {
    ruleset: form.ruleset,
    max_turn: Number(form.max_turn),
    round_time: Number(form.round_time),
    first_round_time: form.first === 'seconds' ? Number(form.firstSeconds) : form.first,
    finish_time: Number(form.finish_time),
    max_player: form.max_player === '' ? null : Number(form.max_player),
    allow_join_after_start: form.allow_join_after_start,
    allow_manual_mode: form.allow_manual_mode,
    replay_enable: form.replay_enable,
    room_description: form.room_description,
  };
  const known = before as unknown as Record<string, unknown>;
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => value !== known[name]));
}
