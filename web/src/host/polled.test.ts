import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Polled } from './polled.svelte';

let visibility = 'visible';
let shown: (() => void)[] = [];

beforeEach(() => {
  visibility = 'visible';
  shown = [];
  vi.useFakeTimers();
  vi.stubGlobal('window', { setInterval, clearInterval });
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibility;
    },
    addEventListener: (_name: string, heard: () => void) => shown.push(heard),
    removeEventListener: (_name: string, heard: () => void) => (shown = shown.filter((each) => each !== heard)),
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('it is loaded at intervals while the page is visible, and at once when it becomes visible', async () => {
  let loads = 0;
  const polled = new Polled(async () => (loads += 1));
  const stop = polled.start(1000);
  await vi.advanceTimersByTimeAsync(2500);
  expect([loads, polled.value]).toEqual([3, 3]);
  visibility = 'hidden';
  await vi.advanceTimersByTimeAsync(5000);
  expect(loads).toBe(3);
  visibility = 'visible';
  shown.forEach((heard) => heard());
  await vi.advanceTimersByTimeAsync(0);
  expect(polled.value).toBe(4);
  stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect([loads, shown.length]).toEqual([4, 0]);
});

test('a failure keeps the last value, and an answer that is overtaken is ignored', async () => {
  const answers: ((value: number) => void)[] = [];
  const failing = { now: false };
  const polled = new Polled(() => {
    if (failing.now) return Promise.reject(new Error('down'));
    return new Promise<number>((answer) => answers.push(answer));
  });
  const [first, second] = [polled.refresh(), polled.refresh()];
  answers[1]?.(2);
  await second;
  answers[0]?.(1);
  await first;
  expect(polled.value).toBe(2);
  failing.now = true;
  await polled.refresh();
  expect([polled.value, (polled.problem as Error).message]).toEqual([2, 'down']);
});
