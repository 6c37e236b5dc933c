/** How to connect a bot: programs to start from, by language and game, and the commands that run them. */
import type { Schemas } from '../api/client';

export const WAYS = ['python', 'tcp', 'node', 'cpp', 'java', 'go', 'rust', 'own'] as const;
export type WayName = (typeof WAYS)[number];

/** Where the arena is. */
export interface Arena {
  /** Such as http://127.0.0.1:8000. */
  readonly origin: string;
  readonly ports: Schemas['OpenPorts'];
}

/** A requirement of a program. */
export type Need = 'parlour' | 'websockets' | 'account' | 'guest';

export interface Program {
  readonly file: string;
  readonly code: string;
  /** In a shell, one after the other. Empty token: a placeholder stands for it. */
  commands(token: string): readonly string[];
  readonly needs: readonly Need[];
}

const SNIPPETS = texts(import.meta.glob<string>('./snippets/*/*', { query: '?raw', import: 'default', eager: true }));
const EXAMPLES = texts(
  import.meta.glob<string>(['../../../examples/*.sh', '../../../examples/*.py'], {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

/** By the last two parts of the path, such as `tcp/forsale.py` or `examples/maze_course.py`. */
function texts(found: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(Object.entries(found).map(([path, text]) => [path.split('/').slice(-2).join('/'), text]));
}

interface Language {
  readonly file: string;
  /** The commands that build the program. */
  readonly build: readonly string[];
  /** The command that starts it. */
  readonly run: string;
  /** Whether it reads and writes lines, and `parlour join` connects it. */
  readonly isJoined: boolean;
}

const LANGUAGES: Record<Exclude<WayName, 'own'>, Language> = {
  python: { file: 'bot.py', build: [], run: 'python3 bot.py', isJoined: false },
  tcp: { file: 'bot.py', build: [], run: 'python3 bot.py', isJoined: false },
  node: { file: 'bot.mjs', build: [], run: 'node bot.mjs', isJoined: false },
  cpp: { file: 'bot.cpp', build: ['g++ -std=c++17 -O2 -o bot bot.cpp'], run: './bot', isJoined: true },
  java: { file: 'Bot.java', build: ['javac Bot.java'], run: 'java Bot', isJoined: true },
  go: { file: 'bot.go', build: ['go build -o bot bot.go'], run: './bot', isJoined: true },
  rust: { file: 'bot.rs', build: ['rustc -O bot.rs'], run: './bot', isJoined: true },
};

/** By game, a program that speaks its own protocol, and how it is started. */
const OWN: Record<string, { readonly file: string; readonly dialect: string; readonly run: string }> = {
  forsale: { file: 'forsale_numbers.sh', dialect: 'forsale', run: 'sh forsale_numbers.sh' },
  dominion: { file: 'dominion_starter.py', dialect: 'dominion', run: 'python3 dominion_starter.py' },
};

/** By game, a program that connects to a TCP port of its own protocol by itself, and the name of the port. */
const CONNECTING: Record<string, { readonly file: string; readonly port: string }> = {
  maze: { file: 'maze_course.py', port: 'maze/course' },
  tradecraft: { file: 'tradecraft_lines.py', port: 'tradecraft' },
};

/** ColorfightII has channels instead. */
const CHANNELS = 'colorfight_root.py';

/** The program for a game; null if there is none. */
export function programOf(way: WayName, game: string, arena: Arena): Program | null {
  if (way === 'own') {
    return game === 'colorfight' ? channelProgram(arena) : (connectingProgram(game, arena) ?? ownProgram(game, arena));
  }
  const { file, build, run, isJoined } = LANGUAGES[way];
  const code = codeOf(way, game, file);
  if (code === null) return null;
  const last = isJoined ? join(arena, game, `exec:${run}`) : run;
  return {
    file,
    code: filled(code, game, arena),
    commands: (token) => [exported(token), ...build, last],
    needs: isJoined || way === 'python' ? ['parlour'] : [],
  };
}

/** Whether the arena offers this way. */
export function isOffered(way: WayName, { ports }: Arena): boolean {
  return way !== 'tcp' || ports.protocol_1 !== null;
}

/** The file for the game, put into the frame of the language if there is one. */
function codeOf(way: WayName, game: string, file: string): string | null {
  const suffix = file.split('.').at(-1);
  const own = SNIPPETS.get(`${way}/${game}.${suffix}`);
  const frame = SNIPPETS.get(`${way}/main.${suffix}`);
  if (own === undefined || frame === undefined) return own ?? null;
  return frame
    .split('\n')
    .map((line) => (/^\s*(#|\/\/) decide$/.test(line) ? own.trimEnd() : line))
    .join('\n');
}

function filled(code: string, game: string, { origin, ports }: Arena): string {
  const { protocol, host, hostname } = new URL(origin);
  return code
    .replaceAll('GAME', game)
    .replaceAll('http://127.0.0.1:8000', origin)
    .replaceAll('ws://127.0.0.1:8000', `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`)
    .replaceAll(
      '"127.0.0.1", 8001, False',
      `"${bare(hostname)}", ${ports.protocol_1}, ${ports.tls ? 'True' : 'False'}`,
    );
}

function ownProgram(game: string, arena: Arena): Program | null {
  const own = OWN[game];
  const code = EXAMPLES.get(`examples/${own?.file}`);
  if (own === undefined || code === undefined) return null;
  const command = join(arena, game, `exec+${own.dialect}:${own.run}`);
  return { file: own.file, code, commands: (token) => [exported(token), command], needs: ['parlour'] };
}

function connectingProgram(game: string, { origin, ports }: Arena): Program | null {
  const own = CONNECTING[game];
  const code = EXAMPLES.get(`examples/${own?.file}`);
  const port = ports.own[own?.port ?? ''];
  if (own === undefined || code === undefined || port === undefined || ports.tls) return null; // they do not know TLS
  return {
    file: own.file,
    code: code.replaceAll('("127.0.0.1", ', `("${bare(new URL(origin).hostname)}", `),
    commands: () => [`python3 ${own.file} ${port} NAME`],
    needs: ['guest'],
  };
}

function channelProgram({ origin }: Arena): Program | null {
  const { protocol, hostname, port } = new URL(origin);
  const isSecure = protocol === 'https:';
  const at = port || (isSecure ? '443' : '80');
  const code = EXAMPLES.get(`examples/${CHANNELS}`);
  if (code === undefined) return null;
  return {
    file: CHANNELS,
    code: code.replaceAll('ws://127.0.0.1:', `${isSecure ? 'wss' : 'ws'}://${hostname}:`),
    commands: () => [`python3 ${CHANNELS} ${at} NAME PASSWORD`],
    needs: ['websockets', 'account'],
  };
}

function join({ origin }: Arena, game: string, player: string): string {
  return `parlour join ${origin} ${game} "${player}"`;
}

function exported(token: string): string {
  return `export PARLOUR_TOKEN=${token || 'YOUR_TOKEN'}`;
}

/** Without the brackets that addresses have in URLs, such as [::1]. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
