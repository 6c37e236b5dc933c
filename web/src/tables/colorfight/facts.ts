/** The numbers of a cell. */
import type { Cell, View } from './types';

export interface Facts {
  readonly cell: Cell;
  readonly x: number;
  readonly y: number;
  /** Null: nobody. */
  readonly seat: number | null;
  /** The letter of the building; a space where there is none. */
  readonly building: string;
  readonly level: number;
  readonly gold: number;
  readonly energy: number;
  readonly naturalGold: number;
  readonly naturalEnergy: number;
  readonly naturalCost: number;
  readonly field: number;
  /** The least energy of an attack. */
  readonly cost: number;
}

export function factsOf(view: View, cell: Cell): Facts {
  const owner = view.owner[cell] ?? 0;
  return {
    cell,
    x: cell % view.width,
    y: Math.floor(cell / view.width),
    seat: owner === 0 ? null : owner - 1,
    building: view.building[cell] ?? ' ',
    level: view.level[cell] ?? 1,
    gold: view.gold[cell] ?? 0,
    energy: view.energy[cell] ?? 0,
    naturalGold: view.natural_gold[cell] ?? 0,
    naturalEnergy: view.natural_energy[cell] ?? 0,
    naturalCost: view.natural_cost[cell] ?? 0,
    field: view.force_field[cell] ?? 0,
    cost: view.attack_cost[cell] ?? 0,
  };
}
