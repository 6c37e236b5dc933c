import { describe, expect, it } from 'vitest';
import { decisionAt, decisionsOf, sumsOf, withPrompts, written, type Call } from './calls';

const said = (text: string) => ({ role: 'user', text }) as const;

function call(seat: number, ask: number, frame: number | null, more: Partial<Call> = {}): Call {
  return {
    match: 'm',
    seat,
    ask,
    attempt: 1,
    model: 'local/m',
    at_ms: 0,
    ms: 100,
    kept: 0,
    messages: [said(`ask ${ask}`)],
    function: null,
    answer: 'Pass',
    outcome: 'answered',
    words: 'Pass',
    tokens_in: 10,
    tokens_out: 1,
    estimated: false,
    nanodollars: 5,
    cached: false,
    frame,
    ...more,
  };
}

describe('the prompts', () => {
  it('begin with what was sent before', () => {
    const texts = withPrompts([
      call(0, 1, 1, { messages: [said('rules'), said('a')] }),
      call(0, 2, 3, { kept: 1, messages: [said('b'), said('c')] }),
      call(0, 3, 5, { kept: 3, messages: [] }),
    ]).map(({ prompt }) => prompt?.map(({ text }) => text));
    expect(texts).toEqual([
      ['rules', 'a'],
      ['rules', 'b', 'c'],
      ['rules', 'b', 'c'],
    ]);
  });

  it('are unknown as soon as one was not kept', () => {
    const calls = [call(0, 1, 1), call(0, 2, 2, { messages: [] }), call(0, 3, 3, { kept: 1 })];
    expect(withPrompts(calls).map(({ prompt }) => prompt?.length ?? null)).toEqual([1, null, null]);
  });

  it('are one text with the roles', () => {
    expect(written([{ role: 'system', text: 'rules' }, said('a')])).toBe('[system]\nrules\n\n[user]\na\n');
  });
});

describe('the decisions', () => {
  const calls = [
    call(0, 1, 2),
    call(0, 2, 6, { outcome: 'unreadable' }),
    call(0, 2, 6),
    call(1, 1, 4, { cached: true, nanodollars: 0 }),
    call(1, 2, null, { outcome: 'dropped' }),
  ];
  const decisions = decisionsOf(calls);

  it('are in the order of the match, with all requests about an ask', () => {
    expect(decisions.map(({ key, n, requests }) => [key, n, requests.length])).toEqual([
      ['0 1', 2, 1],
      ['1 1', 4, 1],
      ['1 2', 4, 1],
      ['0 2', 6, 2],
    ]);
  });

  it('follow the moment that is shown', () => {
    const keys = [0, 2, 3, 4, 5, 6, 99].map((at) => decisionAt(decisions, at)?.key ?? null);
    expect(keys).toEqual([null, '0 1', '0 1', '1 1', '1 1', '0 2', '0 2']);
  });

  it('are added up', () => {
    expect(sumsOf(decisions)).toEqual({
      decisions: 4,
      requests: 5,
      cached: 1,
      unreadable: 1,
      failed: 0,
      dropped: 1,
      tokensIn: 50,
      tokensOut: 5,
      nanos: 20,
      ms: 500,
    });
    expect(sumsOf([]).requests).toBe(0);
  });
});
