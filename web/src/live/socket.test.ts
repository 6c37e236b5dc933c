import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FakeBrowser, fakeBrowser, FakeSocket } from '../../tests/fake_browser';
import { LiveSocket, type SocketState } from './socket';

let browser: FakeBrowser;
let states: SocketState[];
let heard: string[];

function connect(): LiveSocket {
  return new LiveSocket('/watch/m', {
    opened: (socket) => socket.send({ type: 'hello' }),
    message: (message) => heard.push(message.type),
    changed: (state) => states.push(state),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  browser = fakeBrowser();
  states = [];
  heard = [];
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a connection says hello and hands on messages', () => {
  connect();
  FakeSocket.last.accept().tell({ type: 'begin' });
  expect(FakeSocket.last.url).toBe('ws://arena.test/watch/m');
  expect(FakeSocket.last.sent).toEqual([{ type: 'hello' }]);
  expect([states, heard]).toEqual([['connecting', 'open'], ['begin']]);
});

test('a lost connection is made again, later after each failure', () => {
  connect();
  FakeSocket.last.accept().close();
  expect(states.at(-1)).toBe('waiting');
  vi.advanceTimersByTime(400);
  expect(FakeSocket.made).toHaveLength(2);
  FakeSocket.last.close();
  vi.advanceTimersByTime(700);
  expect(FakeSocket.made).toHaveLength(2);
  vi.advanceTimersByTime(600);
  expect(FakeSocket.made).toHaveLength(3);
  FakeSocket.last.accept();
  expect(FakeSocket.last.sent).toEqual([{ type: 'hello' }]);
});

test('when the network is back, a connection that seems open is replaced at once', () => {
  connect();
  const old = FakeSocket.last.accept();
  browser.window.dispatchEvent(new Event('online'));
  expect(FakeSocket.made).toHaveLength(2);
  old.tell({ type: 'late' });
  FakeSocket.last.accept().tell({ type: 'begin' });
  vi.advanceTimersByTime(60_000);
  expect([heard, FakeSocket.made.length]).toEqual([['begin'], 2]);
});

test('a connection that was ended stays closed', () => {
  const socket = connect();
  FakeSocket.last.accept();
  socket.end();
  browser.window.dispatchEvent(new Event('online'));
  vi.advanceTimersByTime(60_000);
  expect([states.at(-1), FakeSocket.made.length]).toEqual(['closed', 1]);
  expect(socket.send({ type: 'answer' })).toBe(false);
});
