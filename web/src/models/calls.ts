/** The requests to models in a match, in the order of its moments. All texts in them are foreign. */
import type { Schemas } from '../api/client';

export type Call = Schemas['ShownCall'];
export type Message = Schemas['PromptMessage'];

/** A request with its whole prompt; null: it is not kept. */
export interface Request {
  readonly call: Call;
  readonly prompt: readonly Message[] | null;
}

/** All requests about one ask. */
export interface Decision {
  readonly key: string;
  readonly seat: number;
  readonly ask: number;
  readonly model: string;
  /** The frame that shows what became of it, or else that of the decision before. */
  readonly n: number;
  readonly hasFrame: boolean;
  readonly requests: readonly Request[];
}

export interface Sums {
  readonly decisions: number;
  readonly requests: number;
  readonly cached: number;
  readonly unreadable: number;
  readonly failed: number;
  readonly dropped: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly nanos: number;
  readonly ms: number;
}

/** The decisions of all models. Calls come by seat, in order. */
export function decisionsOf(calls: readonly Call[]): readonly Decision[] {
  const seats = new Set(calls.map((call) => call.seat));
  const all = [...seats].flatMap((seat) => ofSeat(calls.filter((call) => call.seat === seat)));
  return all.toSorted((a, b) => a.n - b.n || a.requests[0]!.call.at_ms - b.requests[0]!.call.at_ms);
}

function ofSeat(calls: readonly Call[]): Decision[] {
  const found: Decision[] = [];
  for (const request of withPrompts(calls)) {
    const { seat, ask, model, frame } = request.call;
    const last = found.at(-1);
    if (last !== undefined && last.ask === ask)
      found[found.length - 1] = { ...last, requests: [...last.requests, request] };
    else {
      const n = frame ?? last?.n ?? 0;
      found.push({ key: `${seat} ${ask}`, seat, ask, model, n, hasFrame: frame !== null, requests: [request] });
    }
  }
  return found;
}

/** The calls of one seat with their whole prompts: each tells only what was not in the one before. */
export function withPrompts(calls: readonly Call[]): readonly Request[] {
  let before: readonly Message[] | null = [];
  return calls.map((call) => {
    const isKept = call.kept + call.messages.length > 0 && before !== null && call.kept <= before.length;
    before = isKept && before !== null ? [...before.slice(0, call.kept), ...call.messages] : null;
    return { call, prompt: before };
  });
}

export function sumsOf(decisions: readonly Decision[]): Sums {
  const calls = decisions.flatMap((decision) => decision.requests.map((request) => request.call));
  const sum = (value: (call: Call) => number) => calls.reduce((total, call) => total + value(call), 0);
  const count = (outcome: Call['outcome']) => sum((call) => Number(call.outcome === outcome));
  return {
    decisions: decisions.length,
    requests: calls.length,
    cached: sum((call) => Number(call.cached)),
    unreadable: count('unreadable'),
    failed: count('failed'),
    dropped: count('dropped'),
    tokensIn: sum((call) => call.tokens_in),
    tokensOut: sum((call) => call.tokens_out),
    nanos: sum((call) => call.nanodollars),
    ms: sum((call) => call.ms),
  };
}

/** The last decision that the moment shows, or one before it; null: there is none yet. */
export function decisionAt(decisions: readonly Decision[], at: number): Decision | null {
  return decisions.findLast((decision) => decision.hasFrame && decision.n <= at) ?? null;
}

/** A prompt as one text. */
export function written(prompt: readonly Message[]): string {
  return prompt.map(({ role, text }) => `[${role}]\n${text}\n`).join('\n');
}
