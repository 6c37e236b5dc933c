/** The colours of the map, mixed from the tokens of the page. */

export interface Palette {
  readonly room: string;
  readonly ground: string;
  /** Nobody's land where it is drawn without marks: worth little, more, and most. */
  readonly free: readonly string[];
  readonly line: string;
  readonly edge: string;
  /** By seat: its land, its land at a border, and the rims and patterns on it. There are twelve of each: the six colours
   * of seats, and paler ones for the next six. From the thirteenth seat on they are used again. */
  readonly land: readonly string[];
  readonly border: readonly string[];
  readonly rim: readonly string[];
  readonly pattern: readonly string[];
  readonly gold: string;
  readonly energy: string;
  readonly well: string;
  readonly mine: string;
  readonly card: string;
  readonly cardInk: string;
  readonly ink: string;
  readonly inkSoft: string;
  readonly brass: string;
  readonly brassInk: string;
  readonly bad: string;
}

export type Rgb = readonly [number, number, number];

/** A colour of three or six hexadecimal digits; what is built has the shorter form where it can. */
export function rgbOf(hex: string): Rgb {
  const digits = hex.trim().slice(1);
  const long = digits.length < 6 ? [...digits].map((digit) => digit + digit).join('') : digits;
  const value = Number.parseInt(long.slice(0, 6), 16) || 0;
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The colour of a seat. */
export function colourOf(colours: readonly string[], seat: number): string {
  return colours[seat % colours.length] ?? '';
}

/** So much of the first colour, the rest of the second. */
export function mixed(first: string, share: number, second: string): string {
  const [a, b] = [rgbOf(first), rgbOf(second)];
  const parts = a.map((part, i) => Math.round(part * share + (b[i] ?? 0) * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The palette of the theme that the document has now. */
export function paletteOf(token: (name: string) => string, isLight: boolean): Palette {
  const [room, felt, card, ink] = [token('--room'), token('--felt'), token('--card'), token('--ink')];
  const six = [0, 1, 2, 3, 4, 5].map((seat) => token(`--seat-${seat}`));
  const seats = [...six, ...six.map((seat) => mixed(seat, 0.5, ink))];
  const under = isLight ? felt : room;
  const land = seats.map((seat) => mixed(seat, isLight ? 0.3 : 0.4, under));
  const ground = isLight ? token('--felt-2') : mixed(room, 0.7, felt);
  return {
    room,
    ground,
    free: [0, 0.12, 0.24].map((share) => mixed(token('--felt-line'), share, ground)),
    land,
    line: mixed(isLight ? token('--felt-line') : room, isLight ? 0.6 : 0.6, ground),
    edge: token('--felt-line'),
    border: seats.map((seat) => mixed(seat, isLight ? 0.62 : 0.72, under)),
    rim: seats,
    pattern: seats.map((seat, i) => mixed(seat, isLight ? 0.3 : 0.26, land[i] ?? under)),
    gold: isLight ? mixed(token('--brass'), 0.75, ink) : mixed(token('--brass'), 0.6, card),
    energy: isLight ? mixed(token('--info'), 0.6, ink) : mixed(token('--info'), 0.45, card),
    well: mixed(token('--seat-1'), isLight ? 0.26 : 0.36, card),
    mine: mixed(token('--seat-0'), isLight ? 0.36 : 0.52, card),
    card,
    cardInk: token('--card-ink'),
    ink,
    inkSoft: token('--ink-2'),
    brass: token('--brass'),
    brassInk: token('--brass-ink'),
    bad: token('--bad'),
  };
}
