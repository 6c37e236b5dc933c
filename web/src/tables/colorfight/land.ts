/** The map as a few paths, so that a large one costs little: one for each owner and shade, and one for each kind of
 * building. The unit is a cell. */
import type { View } from './types';

/** Cells of one owner, or of nobody (null), that are worth about the same. */
export interface Area {
  readonly seat: number | null;
  /** From 0 (worth little) to 2. */
  readonly shade: number;
  readonly path: string;
}

export interface Home {
  readonly seat: number | null;
  readonly x: number;
  readonly y: number;
}

type Land = Pick<View, 'width' | 'height' | 'owner' | 'building' | 'natural_gold' | 'natural_energy'>;

/** How much a cell yields by nature, from 0 (little) to 2. Both yields go up to about 10. */
export function shadeOf(gold: number, energy: number): number {
  const worth = Math.max(gold, energy);
  return worth >= 8 ? 2 : worth >= 5 ? 1 : 0;
}

/** The areas of a map. Neighbours in a row are drawn as one piece. */
export function areasOf(land: Land): Area[] {
  const paths = new Map<string, { seat: number | null; shade: number; parts: string[] }>();
  for (let y = 0; y < land.height; y++) {
    for (let x = 0; x < land.width;) {
      const [owner, shade] = kindOf(land, y * land.width + x);
      let end = x + 1;
      while (end < land.width && isLike(land, y * land.width + end, owner, shade)) end++;
      const key = `${owner} ${shade}`;
      let area = paths.get(key);
      if (area === undefined) paths.set(key, (area = { seat: owner === 0 ? null : owner - 1, shade, parts: [] }));
      area.parts.push(`M${x} ${y}h${end - x}v1h${x - end}Z`);
      x = end;
    }
  }
  return [...paths.values()].map(({ seat, shade, parts }) => ({ seat, shade, path: parts.join('') }));
}

function kindOf(land: Land, cell: number): readonly [owner: number, shade: number] {
  return [land.owner[cell] ?? 0, shadeOf(land.natural_gold[cell] ?? 0, land.natural_energy[cell] ?? 0)];
}

function isLike(land: Land, cell: number, owner: number, shade: number): boolean {
  const [otherOwner, otherShade] = kindOf(land, cell);
  return otherOwner === owner && otherShade === shade;
}

/** The lines between the cells. */
export function gridOf(width: number, height: number): string {
  const down = Array.from({ length: width + 1 }, (_, x) => `M${x} 0v${height}`);
  const across = Array.from({ length: height + 1 }, (_, y) => `M0 ${y}h${width}`);
  return [...down, ...across].join('');
}

/** Signs on the cells with such a building: h for homes, e for energy wells, g for gold mines. */
function cellsWith(land: Land, letter: string): { x: number; y: number; cell: number }[] {
  const found = [];
  for (let cell = land.building.indexOf(letter); cell >= 0; cell = land.building.indexOf(letter, cell + 1))
    found.push({ x: cell % land.width, y: Math.floor(cell / land.width), cell });
  return found;
}

/** A bolt on each energy well. */
export function wellsOf(land: Land): string {
  return cellsWith(land, 'e')
    .map(({ x, y }) => `M${x + 0.58} ${y + 0.14}l-.32.42h.2l-.08.3 .34-.42h-.2Z`)
    .join('');
}

/** A nugget on each gold mine. */
export function minesOf(land: Land): string {
  return cellsWith(land, 'g')
    .map(({ x, y }) => `M${x + 0.5} ${y + 0.22}l.28.28-.28.28-.28-.28Z`)
    .join('');
}

export function homesOf(land: Land): Home[] {
  return cellsWith(land, 'h').map(({ x, y, cell }) => {
    const owner = land.owner[cell] ?? 0;
    return { seat: owner === 0 ? null : owner - 1, x: x + 0.5, y: y + 0.5 };
  });
}

export interface Standing {
  readonly seat: number;
  readonly cells: number;
  readonly gold: number;
  readonly isDead: boolean;
}

/** The seats by the gold that decides the match, then by their cells. */
export function standings(view: Pick<View, 'users'>): Standing[] {
  const all = view.users.map(({ cells, gold, dead }, seat) => ({ seat, cells, gold, isDead: dead }));
  return all.sort((a, b) => Number(a.isDead) - Number(b.isDead) || b.gold - a.gold || b.cells - a.cells);
}
