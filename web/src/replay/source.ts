/** Where a replay comes from: a match that the arena has stored, or a file of the user. */
import { api, ApiError, got, type Schemas } from '../api/client';
import { seatOf } from '../bots/own';
import { identity } from '../identity.svelte';
import { NO_RECEIPT, receiptOf, type Receipt } from '../live/receipt';
import { wholeReceipt } from '../live/whole_receipt';
import type { KnownMatch } from '../proof/checks';
import { patiently } from './patience';

export type Timeline = Schemas['Timeline'];
export type Frame = Schemas['Frame'];
export type Mark = Schemas['Mark'];
export type Verdict = Schemas['TranscriptVerdict'];

/** Whose view it is: a seat's, or a spectator's (null). */
export type Audience = number | null;

/** Some frames in order, and the size of their JSON. `next` is the first frame that did not fit. */
export interface Piece {
  readonly frames: readonly Frame[];
  readonly next: number | null;
  readonly size: number;
}

export interface ReplaySource {
  /** The name of the transcript's file. */
  readonly file: string;
  /** The seat of this user in the match; null or missing: none. */
  readonly ownSeat?: number | null;
  /** The match as the arena lists it; missing for a file. */
  readonly info?: Schemas['MatchInfo'];
  timeline(who: Audience): Promise<Timeline>;
  /** The frames from `from` up to but not including `to`. */
  frames(who: Audience, from: number, to: number): Promise<Piece>;
  transcript(): Promise<Uint8Array>;
  /** The verdict of the arena, which plays the moves again by the rules. */
  verdict(): Promise<Verdict>;
  /** The arena's facts about the match; null if it does not know it. */
  known(): Promise<KnownMatch | null>;
  /** The receipt of the match in this browser; empty if it did not play. */
  receipt(): Promise<Receipt>;
  /** Nothing more is wanted: requests that wait for their turn are not sent. */
  close?(): void;
}

type Info = Schemas['MatchInfo'];

/** A finished match of the arena. */
export class StoredSource implements ReplaySource {
  readonly file: string;
  readonly ownSeat: number | null;
  #receipt: Promise<Receipt> | null = null;

  constructor(readonly info: Info) {
    this.file = `${info.id}.jsonl`;
    this.ownSeat = seatOf(info, identity.name);
  }

  timeline(who: Audience): Promise<Timeline> {
    const params = { path: this.#path(), query: seatQuery(who) };
    return timelineOf(got(api.GET('/api/matches/{match}/timeline', { params })));
  }

  async frames(who: Audience, from: number, to: number): Promise<Piece> {
    const params = { path: this.#path(), query: { ...seatQuery(who), from, to } };
    return pieceOf(await got(api.GET('/api/matches/{match}/frames', { params, parseAs: 'text' })));
  }

  async transcript(): Promise<Uint8Array> {
    const params = { path: this.#path() };
    const data = await got(api.GET('/api/matches/{match}/transcript', { params, parseAs: 'arrayBuffer' }));
    return new Uint8Array(data as ArrayBuffer);
  }

  verdict(): Promise<Verdict> {
    return got(api.GET('/api/matches/{match}/verdict', { params: { path: this.#path() } }));
  }

  known(): Promise<KnownMatch | null> {
    return knownOf(this.info);
  }

  receipt(): Promise<Receipt> {
    return (this.#receipt ??= wholeReceipt(this.info.game, this.info.id));
  }

  #path(): { match: string } {
    return { match: this.info.id };
  }
}

/** Settles after the last request with a file. The arena takes one at a time, whichever file it is. */
let lastSent: Promise<unknown> = Promise.resolve();

/** A file of the user. It is sent with each request: the arena keeps nothing of it. */
export class FileSource implements ReplaySource {
  #isClosed = false;

  constructor(
    readonly file: string,
    private readonly data: Uint8Array,
    /** The name of the match in the header; null if it cannot be read. */
    private readonly match: string | null,
  ) {}

  timeline(who: Audience): Promise<Timeline> {
    const params = { query: seatQuery(who) };
    return timelineOf(this.#inTurn(() => got(api.POST('/api/replays/timeline', { params, ...this.#sent() }))));
  }

  async frames(who: Audience, from: number, to: number): Promise<Piece> {
    const params = { query: { ...seatQuery(who), from, to } };
    const ask = () => got(api.POST('/api/replays/frames', { params, parseAs: 'text', ...this.#sent() }));
    return pieceOf(await this.#inTurn(ask));
  }

  transcript(): Promise<Uint8Array> {
    return Promise.resolve(this.data);
  }

  verdict(): Promise<Verdict> {
    return this.#inTurn(() => got(api.POST('/api/replays/verdict', this.#sent())));
  }

  async known(): Promise<KnownMatch | null> {
    if (this.match === null) return null;
    try {
      return await knownOf(await got(api.GET('/api/matches/{match}', { params: { path: { match: this.match } } })));
    } catch (e) {
      if (e instanceof ApiError && e.status >= 400 && e.status < 500) return null;
      throw e;
    }
  }

  receipt(): Promise<Receipt> {
    return Promise.resolve(this.match === null ? NO_RECEIPT : receiptOf(this.match));
  }

  #sent() {
    const headers = { 'content-type': 'application/x-ndjson' };
    // The document says that the body is text; these are its bytes.
    return { body: this.data as unknown as string, bodySerializer: (body: unknown) => body as BodyInit, headers };
  }

  close(): void {
    this.#isClosed = true;
  }

  #inTurn<T>(ask: () => Promise<T>): Promise<T> {
    const answer = lastSent.then(() => patiently(() => (this.#isClosed ? Promise.reject(new Error('closed')) : ask())));
    lastSent = answer.catch(() => undefined);
    return answer;
  }
}

function seatQuery(who: Audience): { seat?: number } {
  return who === null ? {} : { seat: who };
}

/** The client's types forget that the scores are pairs. */
function timelineOf(answer: Promise<unknown>): Promise<Timeline> {
  return answer as Promise<Timeline>;
}

function pieceOf(text: string): Piece {
  const { frames, next } = JSON.parse(text) as Schemas['Frames'];
  return { frames, next: next ?? null, size: text.length };
}

async function knownOf(info: Info): Promise<KnownMatch> {
  const key = await got(api.GET('/api/key', {})).then(
    (found) => found.public_key,
    () => null,
  );
  return { commit: info.commit ?? null, proof: info.proof ?? null, key };
}
