/** The pictures of the cards, drawn on a field of 48 by 48 in two tones and the paper that shows through. */

export type Tone = 'ink' | 'second' | 'paper';

/** An outline that is filled, drawn as a line, or both. */
export interface Outline {
  readonly d: string;
  readonly fill?: Tone;
  readonly stroke?: Tone;
  readonly width?: number;
  readonly dash?: string;
}

/** The worth that is struck on a coin. */
export interface Numeral {
  readonly numeral: string;
  readonly x: number;
}

export type Stroke = Outline | Numeral;

export const DRAWINGS: Readonly<Record<string, readonly Stroke[]>> = {
  copper: [
    { d: 'M9 24a15 15 0 1 0 30 0a15 15 0 1 0 -30 0Z', fill: 'ink' },
    { d: 'M12.5 24a11.5 11.5 0 1 0 23 0a11.5 11.5 0 1 0 -23 0Z', stroke: 'paper', width: 1.2 },
    { numeral: '1', x: 24 },
  ],
  silver: [
    { d: 'M16.5 24a14 14 0 1 0 28 0a14 14 0 1 0 -28 0Z', fill: 'second' },
    { d: 'M5.5 24a14 14 0 1 0 28 0a14 14 0 1 0 -28 0Z', fill: 'ink', stroke: 'paper', width: 1.5 },
    { d: 'M9 24a10.5 10.5 0 1 0 21 0a10.5 10.5 0 1 0 -21 0Z', stroke: 'paper', width: 1.2 },
    { numeral: '2', x: 19.5 },
  ],
  gold: [
    { d: 'M21 24a13 13 0 1 0 26 0a13 13 0 1 0 -26 0Z', fill: 'second' },
    { d: 'M12.5 24a13 13 0 1 0 26 0a13 13 0 1 0 -26 0Z', fill: 'second', stroke: 'paper', width: 1.5 },
    { d: 'M3 24a13.5 13.5 0 1 0 27 0a13.5 13.5 0 1 0 -27 0Z', fill: 'ink', stroke: 'paper', width: 1.5 },
    { d: 'M6.5 24a10 10 0 1 0 20 0a10 10 0 1 0 -20 0Z', stroke: 'paper', width: 1.2 },
    { numeral: '3', x: 16.5 },
  ],
  estate: [
    { d: 'M4 40h40', stroke: 'second', width: 2.5 },
    { d: 'M24 13 38 25h-3v14H13V25h-3z', fill: 'ink' },
    { d: 'M21 39v-8h6v8z', fill: 'paper' },
  ],
  duchy: [
    { d: 'M3 40h42', stroke: 'second', width: 2.5 },
    { d: 'M7 39V24l6-6 6 6v15zM29 39V24l6-6 6 6v15z', fill: 'ink' },
    { d: 'M17 39V20l7-9 7 9v19z', fill: 'ink', stroke: 'paper', width: 1.5 },
    { d: 'M21.5 39v-7a2.5 2.5 0 0 1 5 0v7zM22.5 22h3v4h-3z', fill: 'paper' },
  ],
  province: [
    { d: 'M2 40h44', stroke: 'second', width: 2.5 },
    { d: 'M6 39V19h3v3h3v-3h3v3h18v-3h3v3h3v-3h3v20z', fill: 'ink' },
    { d: 'M17 39V13h3v3h2.5v-3h3v3H28v-3h3v26z', fill: 'ink', stroke: 'paper', width: 1.5 },
    { d: 'M24 13V4l7 2.5-7 2.5', fill: 'ink', stroke: 'ink', width: 1.2 },
    { d: 'M20.5 39v-8a3.5 3.5 0 0 1 7 0v8z', fill: 'paper' },
  ],
  curse: [
    { d: 'M31 6a18 18 0 1 0 8 27A15 15 0 0 1 31 6z', fill: 'ink' },
    { d: 'M38 14l1.4 3.6L43 19l-3.6 1.4L38 24l-1.4-3.6L33 19l3.6-1.4z', fill: 'second' },
  ],
  cellar: [
    { d: 'M9 40V22a15 15 0 0 1 30 0v18z', fill: 'second' },
    { d: 'M13 40V23a11 11 0 0 1 22 0v17z', fill: 'ink' },
    { d: 'M13 40h5v-5h5v-5h5v-5h7', stroke: 'paper', width: 2.2 },
  ],
  moat: [
    { d: 'M14 26V10h4v4h4v-4h4v4h4v-4h4v16z', fill: 'ink' },
    { d: 'M21 26v-5a3 3 0 0 1 6 0v5z', fill: 'paper' },
    {
      d: 'M5 32c3.2-3 6.3-3 9.5 0s6.3 3 9.5 0 6.3-3 9.5 0 6.3 3 9.5 0M5 39c3.2-3 6.3-3 9.5 0s6.3 3 9.5 0 6.3-3 9.5 0 6.3 3 9.5 0',
      stroke: 'ink',
      width: 2.4,
    },
  ],
  village: [
    { d: 'M3 40h42', stroke: 'second', width: 2.5 },
    { d: 'M4 39V28l7-6 7 6v11z', fill: 'ink' },
    { d: 'M30 39V28l7-6 7 6v11z', fill: 'ink' },
    { d: 'M14 39V23l10-9 10 9v16z', fill: 'ink', stroke: 'paper', width: 1.6 },
    { d: 'M21.5 39v-8h5v8z', fill: 'paper' },
    { d: 'M29 12V7h3v8', fill: 'ink' },
  ],
  woodcutter: [
    { d: 'M14 42 31 11l4 2.2L18 44z', fill: 'second' },
    { d: 'M27 8c7-4 13-2 15 3 .8 4-1 9-5 12-.8-3.8-3-6-7-6.5-2.4-.3-4.2-1-5.2-2.2z', fill: 'ink' },
  ],
  workshop: [
    { d: 'M21.5 20h5v23h-5z', fill: 'second' },
    { d: 'M10 9h20c5 0 8 2.5 9 7h-7v4H10z', fill: 'ink' },
  ],
  militia: [
    { d: 'M24 5c5 3 10 4 15 4v13c0 10-6 17-15 21C15 39 9 32 9 22V9c5 0 10-1 15-4z', fill: 'ink' },
    { d: 'M24 12v23M16 19h16', stroke: 'paper', width: 2.6 },
  ],
  remodel: [
    { d: 'M7 41V24l11-9 11 9v17z', stroke: 'ink', width: 2, dash: '3.5 3' },
    { d: 'M20 41V20L32 9l12 11v21z', fill: 'ink', stroke: 'paper', width: 1.6 },
    { d: 'M29 41v-9h6v9zM29 22h6v5h-6z', fill: 'paper' },
  ],
  smithy: [
    { d: 'M4 15h11v-3h28v4c-5 1-9 3.5-10 8h-2v5l6 6v4H13v-4l6-6v-5h-2C14 20 9 19 4 19z', fill: 'ink' },
    { d: 'M9 41h30', stroke: 'second', width: 2.5 },
  ],
  market: [
    { d: 'M8 24h32v16H8z', fill: 'second' },
    { d: 'M11 9h26l5 11H6z', fill: 'ink' },
    {
      d: 'M6 20a4.5 4.5 0 0 0 9 0 4.5 4.5 0 0 0 9 0 4.5 4.5 0 0 0 9 0 4.5 4.5 0 0 0 9 0z',
      fill: 'ink',
      stroke: 'paper',
      width: 1.2,
    },
    { d: 'M8 40V25M40 40V25M8 33h32', stroke: 'ink', width: 2.2 },
    { d: 'M17.5 9.5 15 20M24 9.5V20M30.5 9.5 33 20', stroke: 'paper', width: 1.2 },
  ],
  mine: [
    { d: 'M11 43 30 17l4 3L15 46z', fill: 'second' },
    { d: 'M10 9c11-4 24 1 31 13l1.5 8.5C37 23 30 17.5 22 15c-4-1.2-8-2.8-12-6z', fill: 'ink' },
  ],
};

/** A card that the page has no picture of. */
export const UNKNOWN: readonly Stroke[] = [{ d: 'M24 8L38 24L24 40L10 24Z', fill: 'ink' }];
