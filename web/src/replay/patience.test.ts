import { expect, test } from 'vitest';
import { patiently } from './patience';

/** Fails with these states, one after the other, and then answers. */
function answering(...states: number[]): () => Promise<string> {
  return () => {
    const status = states.shift();
    return status === undefined ? Promise.resolve('done') : Promise.reject(Object.assign(new Error('no'), { status }));
  };
}

test('a busy arena is asked again', async () => {
  expect(await patiently(answering(429, 503, 429), 0)).toBe('done');
});

test('another failure is told at once', async () => {
  await expect(patiently(answering(400), 0)).rejects.toMatchObject({ status: 400 });
});

test('an arena that stays busy is not asked for ever', async () => {
  await expect(patiently(answering(...Array<number>(100).fill(503)), 0)).rejects.toMatchObject({ status: 503 });
});
