/** The signs of the map. A cell is 24 units wide, and signs are drawn around its middle. */

export const UNITS = 24;
/** Half the side of the chip under a building, and of the larger one under a home. */
export const CHIP = 9.5;
export const HOME_CHIP = 13;

export interface Sign {
  readonly path: string;
  readonly scale: number;
  /** How far above the middle. */
  readonly lift: number;
  /** Where the level is shown, below the middle. */
  readonly pips: number;
  readonly isLine: boolean;
}

export const SIGNS: Readonly<Record<'e' | 'g' | 'h', Sign>> = {
  e: { path: 'M1.2-6.2-4 1H-.4L-1.2 6.2 4-1H.4Z', scale: 0.9, lift: 1.6, pips: 6.4, isLine: false },
  g: {
    path: 'M0-5.5 5-1.5 0 5.5-5-1.5ZM-5-1.5H5M-1.8-1.5 0 5.5 1.8-1.5',
    scale: 0.9,
    lift: 1.6,
    pips: 6.4,
    isLine: true,
  },
  h: {
    path: 'M0-6.5 6.5-.5H4.6V5.5H1.4V1.5H-1.4V5.5H-4.6V-.5H-6.5Z',
    scale: 1.15,
    lift: 2.2,
    pips: 8.6,
    isLine: false,
  },
};

/** The places of the dots that show a level, from left to right. */
export function pipsOf(level: number): number[] {
  return Array.from({ length: level }, (_, i) => (i - (level - 1) / 2) * 3.8);
}

/** From 0 to 2: how large the mark of a natural yield of 1 to 10 is. */
export function markOf(natural: number): number {
  return natural >= 8 ? 2 : natural >= 4 ? 1 : 0;
}

/** The width of a gold dot, and the height of an energy bar, by mark. */
export const GOLD_DOTS = [2.4, 4.4, 6.8] as const;
export const ENERGY_BARS = [2.6, 6.2, 10.5] as const;

/** From 0 to 3: how thick the rim of a force field is. */
export function rimOf(field: number): number {
  return field >= 500 ? 3 : field >= 150 ? 2 : field > 0 ? 1 : 0;
}
