/** The price of an order, and why it cannot be executed. The referee decides; this tells it before the list is sent. */
import type { Cell, View } from './types';

export const BUILD_PRICE = 100;
export const MOST_LEVEL = 4;
export const MOST_FIELD = 1000;
const HOME_COST = 1000;

/** Orders that the referee reads in one list, and lists that it takes from a seat in one round. */
export const MOST_ORDERS = 1000;
export const MOST_LISTS = 10;

export interface Price {
  readonly gold: number;
  readonly energy: number;
}

export type Building = 'e' | 'g';

export type Order =
  | { readonly kind: 'attack'; readonly cell: Cell; readonly energy: number }
  | { readonly kind: 'build'; readonly cell: Cell; readonly building: Building }
  | { readonly kind: 'upgrade'; readonly cell: Cell };

export type Problem =
  | 'below_cost'
  | 'no_energy'
  | 'no_neighbour'
  | 'not_yours'
  | 'has_building'
  | 'no_gold'
  | 'no_building'
  | 'best_level'
  | 'home_first';

/** An order of a list, with its price and the reason if it would fail. */
export interface Judged<Each extends Order = Order> {
  readonly order: Each;
  readonly price: Price;
  readonly problem: Problem | null;
}

export interface Judgement {
  /** In the order of the list. */
  readonly orders: readonly Judged[];
  /** The rest of the seat's energy and gold after the list. */
  readonly left: Price;
}

/** The parts of a view that legality depends on. */
export type Position = Pick<
  View,
  'ruleset' | 'width' | 'height' | 'owner' | 'building' | 'level' | 'attack_cost' | 'users'
>;

const FREE: Price = { gold: 0, energy: 0 };

/** The price of raising a building of this level. */
export function upgradePrice(ruleset: View['ruleset'], building: string, level: number): Price {
  const step = 2 ** (level - 1);
  if (building === 'h') return { gold: 1000 * step, energy: 1000 * step };
  return { gold: 200 * step, energy: ruleset === 'seed' ? 200 * step : 0 };
}

/** The cells to the north, south, west and east. */
export function neighboursOf(cell: Cell, width: number, height: number): Cell[] {
  const [x, y] = [cell % width, Math.floor(cell / width)];
  const beside: Cell[] = [];
  if (y > 0) beside.push(cell - width);
  if (y < height - 1) beside.push(cell + width);
  if (x > 0) beside.push(cell - 1);
  if (x < width - 1) beside.push(cell + 1);
  return beside;
}

/** Whether the seat owns a neighbour of the cell, so that it can attack it. */
export function isInReach(position: Position, seat: number, cell: Cell): boolean {
  return neighboursOf(cell, position.width, position.height).some((near) => position.owner[near] === seat + 1);
}

/** The list as the referee will carry it out if nobody else does anything. */
export function judge(position: Position, seat: number, orders: readonly Order[]): Judgement {
  const work = new Work(position, seat);
  const judged = new Array<Judged>(orders.length);
  for (const place of inTurn(position.ruleset, orders)) {
    const order = orders[place]!;
    judged[place] = { order, ...work.carryOut(order) };
  }
  return { orders: judged, left: { energy: work.energy, gold: work.gold } };
}

/** The places of the orders as they are carried out: by kind, or as they stand in the list. */
function inTurn(ruleset: View['ruleset'], orders: readonly Order[]): number[] {
  const places = orders.map((_, place) => place);
  if (ruleset === 'classic') return places;
  const kinds = ['build', 'upgrade', 'attack'];
  return places.sort((a, b) => kinds.indexOf(orders[a]!.kind) - kinds.indexOf(orders[b]!.kind) || a - b);
}

type Outcome = Omit<Judged, 'order'>;

/** Carries out the orders of one seat, one after the other. */
class Work {
  energy: number;
  gold: number;
  readonly #techLevel: number;
  /** The changes of the list so far, by cell. */
  readonly #buildings = new Map<Cell, string>();
  readonly #levels = new Map<Cell, number>();
  readonly #costs = new Map<Cell, number>();

  constructor(
    private readonly position: Position,
    private readonly seat: number,
  ) {
    const user = position.users[seat];
    this.energy = user?.energy ?? 0;
    this.gold = user?.gold ?? 0;
    this.#techLevel = user?.tech_level ?? 0;
  }

  carryOut(order: Order): Outcome {
    const { price, problem } = this.#look(order);
    if (problem === null) {
      this.energy -= price.energy;
      this.gold -= price.gold;
      this.#change(order);
    }
    return { price, problem };
  }

  #look(order: Order): Outcome {
    switch (order.kind) {
      case 'attack':
        return { price: { gold: 0, energy: order.energy }, problem: this.#whyNotAttack(order.cell, order.energy) };
      case 'build':
        return { price: { gold: BUILD_PRICE, energy: 0 }, problem: this.#whyNotBuild(order.cell) };
      case 'upgrade':
        return this.#upgrade(order.cell);
    }
  }

  #whyNotAttack(cell: Cell, energy: number): Problem | null {
    if (energy < (this.#costs.get(cell) ?? this.position.attack_cost[cell] ?? 0)) return 'below_cost';
    if (energy > this.energy) return 'no_energy';
    return isInReach(this.position, this.seat, cell) ? null : 'no_neighbour';
  }

  #whyNotBuild(cell: Cell): Problem | null {
    if (!this.#owns(cell)) return 'not_yours';
    if (this.#building(cell) !== ' ') return 'has_building';
    return this.gold < BUILD_PRICE ? 'no_gold' : null;
  }

  #upgrade(cell: Cell): Outcome {
    const [building, level] = [this.#building(cell), this.#level(cell)];
    if (!this.#owns(cell)) return { price: FREE, problem: 'not_yours' };
    if (building === ' ') return { price: FREE, problem: 'no_building' };
    if (level >= MOST_LEVEL) return { price: FREE, problem: 'best_level' };
    const price = upgradePrice(this.position.ruleset, building, level);
    if (building !== 'h' && level >= this.#techLevel) return { price, problem: 'home_first' };
    if (this.energy < price.energy) return { price, problem: 'no_energy' };
    return { price, problem: this.gold < price.gold ? 'no_gold' : null };
  }

  #change(order: Order): void {
    if (order.kind === 'build') this.#buildings.set(order.cell, order.building);
    if (order.kind !== 'upgrade') return;
    const level = this.#level(order.cell) + 1;
    this.#levels.set(order.cell, level);
    const isHome = this.#building(order.cell) === 'h';
    if (isHome && this.position.ruleset === 'classic') this.#costs.set(order.cell, HOME_COST * level);
  }

  #owns(cell: Cell): boolean {
    return this.position.owner[cell] === this.seat + 1;
  }

  #building(cell: Cell): string {
    return this.#buildings.get(cell) ?? this.position.building[cell] ?? ' ';
  }

  #level(cell: Cell): number {
    return this.#levels.get(cell) ?? this.position.level[cell] ?? 1;
  }
}

/** The order as the referee reads it. */
export function written(order: Order, width: number): string {
  const where = `${order.cell % width} ${Math.floor(order.cell / width)}`;
  switch (order.kind) {
    case 'attack':
      return `a ${where} ${order.energy}`;
    case 'build':
      return `b ${where} ${order.building}`;
    case 'upgrade':
      return `u ${where}`;
  }
}

/** The list with one more order. A cell is attacked and built on once: a new order replaces the one before. */
export function withOrder(orders: readonly Order[], order: Order): Order[] {
  if (order.kind === 'upgrade') return [...orders, order];
  const place = orders.findIndex((each) => each.kind === order.kind && each.cell === order.cell);
  return place < 0 ? [...orders, order] : orders.map((each, i) => (i === place ? order : each));
}

/** The possible acts of the seat on a cell, after the orders in the list. */
export interface Options {
  readonly isOwn: boolean;
  /** `least` takes the cell if nobody else attacks it; `most` is all the energy that is left. */
  readonly attack: { readonly least: number; readonly most: number; readonly problem: Problem | null };
  readonly builds: readonly (Judged<Extract<Order, { kind: 'build' }>> & { readonly gain: number })[];
  /** Null where nothing can ever be upgraded. */
  readonly upgrade: (Judged & { readonly level: number }) | null;
}

export function optionsAt(view: View, seat: number, orders: readonly Order[], cell: Cell): Options {
  const isOwn = view.owner[cell] === seat + 1;
  const others = orders.filter((order) => order.kind !== 'attack' || order.cell !== cell);
  const least = view.attack_cost[cell] ?? 0;
  const attack = { kind: 'attack', cell, energy: least } as const;
  const most = judge(view, seat, others).left.energy;
  // Said first, although the referee looks at the energy before: more energy would not help.
  const problem = isInReach(view, seat, cell) ? lastOf(view, seat, [...others, attack]).problem : 'no_neighbour';
  return {
    isOwn,
    attack: { least, most, problem },
    builds: isOwn && view.building[cell] === ' ' ? buildsAt(view, seat, orders, cell) : [],
    upgrade: isOwn ? upgradeAt(view, seat, orders, cell) : null,
  };
}

function lastOf(view: View, seat: number, orders: readonly Order[]): Judged {
  return judge(view, seat, orders).orders.at(-1)!;
}

function buildsAt(view: View, seat: number, orders: readonly Order[], cell: Cell): Options['builds'] {
  const others = orders.filter((order) => order.kind !== 'build' || order.cell !== cell);
  return (['e', 'g'] as const).map((building) => {
    const order = { kind: 'build', cell, building } as const;
    const { price, problem } = lastOf(view, seat, [...others, order]);
    const natural = building === 'e' ? view.natural_energy : view.natural_gold;
    return { order, price, problem, gain: natural[cell] ?? 0 };
  });
}

function upgradeAt(view: View, seat: number, orders: readonly Order[], cell: Cell): Options['upgrade'] {
  const isPlanned = orders.some((order) => order.kind === 'build' && order.cell === cell);
  if (view.building[cell] === ' ' && !isPlanned) return null;
  const steps = orders.filter((order) => order.kind === 'upgrade' && order.cell === cell).length;
  const level = (view.level[cell] ?? 1) + steps + 1;
  return { ...lastOf(view, seat, [...orders, { kind: 'upgrade', cell }]), level };
}

/** The cells that the seat can attack, each with its cost. */
export function targetsOf(view: Position, seat: number): Cell[] {
  const uid = seat + 1;
  const found = new Set<Cell>();
  for (let cell = view.owner.indexOf(uid); cell >= 0; cell = view.owner.indexOf(uid, cell + 1))
    for (const near of neighboursOf(cell, view.width, view.height)) if (view.owner[near] !== uid) found.add(near);
  return [...found];
}

/** Where the seat's home is, else its first cell; null without a cell. */
export function centreOf(view: Pick<View, 'owner' | 'building'>, seat: number): Cell | null {
  for (let cell = view.building.indexOf('h'); cell >= 0; cell = view.building.indexOf('h', cell + 1))
    if (view.owner[cell] === seat + 1) return cell;
  const first = view.owner.indexOf(seat + 1);
  return first < 0 ? null : first;
}
