import { describe, expect, it } from 'vitest';
import { isOffered, programOf, WAYS, type Arena } from './ways';

const HERE: Arena = { origin: 'http://127.0.0.1:8000', ports: { protocol_1: 8001, own: {}, tls: false } };
const AWAY: Arena = { origin: 'https://arena.example', ports: { protocol_1: 9001, own: {}, tls: true } };
const PLAIN: Arena = {
  origin: 'http://lab:8000',
  ports: { protocol_1: 8001, own: { 'maze/course': 8005, tradecraft: 8006 }, tls: false },
};
const GAMES = ['forsale', 'dominion', 'maze', 'colorfight', 'tradecraft'];

describe('programs for authors of bots', () => {
  it.each(WAYS.flatMap((way) => GAMES.map((game) => [way, game] as const)))('exist: %s for %s', (way, game) => {
    const program = programOf(way, game, PLAIN);
    expect(program?.code).not.toMatch(/^\s*(#|\/\/) decide$/m);
    expect(program?.code).not.toContain('GAME');
    if (way === 'own') return;
    expect(program?.code).not.toContain('127.0.0.1');
    expect(program?.commands('parlour_x')[0]).toBe('export PARLOUR_TOKEN=parlour_x');
  });

  it('know the address of the arena', () => {
    expect(programOf('node', 'maze', HERE)?.code).toContain("'ws://127.0.0.1:8000/play/maze'");
    expect(programOf('node', 'maze', AWAY)?.code).toContain("'wss://arena.example/play/maze'");
    expect(programOf('python', 'maze', AWAY)?.code).toContain('Client("https://arena.example"');
    expect(programOf('tcp', 'maze', AWAY)?.code).toContain('"arena.example", 9001, True, "maze"');
    expect(programOf('own', 'colorfight', AWAY)?.code).toContain('wss://arena.example:{port}');
    expect(programOf('own', 'colorfight', AWAY)?.commands('')).toEqual([
      'python3 colorfight_root.py 443 NAME PASSWORD',
    ]);
  });

  it('connect to a port of the game, if it is open and without TLS', () => {
    expect(programOf('own', 'maze', PLAIN)?.code).toContain('create_connection(("lab", int(port)))');
    expect(programOf('own', 'maze', PLAIN)?.commands('')).toEqual(['python3 maze_course.py 8005 NAME']);
    expect(programOf('own', 'tradecraft', PLAIN)?.commands('')).toEqual(['python3 tradecraft_lines.py 8006 NAME']);
    expect(programOf('own', 'maze', HERE)).toBeNull();
    expect(programOf('own', 'maze', AWAY)).toBeNull();
  });

  it('are built and joined', () => {
    expect(programOf('cpp', 'forsale', HERE)?.commands('')).toEqual([
      'export PARLOUR_TOKEN=YOUR_TOKEN',
      'g++ -std=c++17 -O2 -o bot bot.cpp',
      'parlour join http://127.0.0.1:8000 forsale "exec:./bot"',
    ]);
  });

  it('are not there for a game of another package, nor over TCP where there is no port', () => {
    expect(programOf('go', 'liars_dice', HERE)).toBeNull();
    expect(programOf('own', 'liars_dice', HERE)).toBeNull();
    expect(isOffered('tcp', { ...HERE, ports: { protocol_1: null, own: {}, tls: false } })).toBe(false);
    expect(isOffered('tcp', HERE)).toBe(true);
  });
});
