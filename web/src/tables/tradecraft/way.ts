/** A way to the target: what to make, what is there, and what is missing. It is worked out from what every player can
 * see and from the recipe book; the referee has no part in it, and other ways may be better. */
import type { Book, Recipe, Slot } from './book';
import {
  ceil,
  compare,
  fraction,
  isSome,
  least,
  minus,
  over,
  plus,
  times,
  ZERO,
  type Fraction,
  type Stock,
} from './fraction';

export interface Holder {
  readonly seat: number;
  readonly amount: Fraction;
}

/** One thing that is needed. */
export interface Need {
  readonly item: string;
  readonly needed: Fraction;
  /** Taken from the own hand. */
  readonly held: Fraction;
  /** How the rest is made; null: it is not made. */
  readonly recipe: Recipe | null;
  readonly parts: readonly Need[];
  /** Other players who hold it. */
  readonly holders: readonly Holder[];
  /** The items that have to come from other players. */
  readonly missing: Fraction;
  readonly isFuel: boolean;
}

/** Others' hands, by seat. */
export type Others = ReadonlyMap<number, Stock>;

const MOST_DEPTH = 6;
/** Needs that are looked at, at most; so that a strange problem does not stop the page. */
const MOST_STEPS = 4000;
/** Prices: asking somebody, one more item, a step on the bench, and what nobody has. */
const ASK = 4;
const EACH = 1;
const STEP = 0.5;
const NOBODY = 1000;

interface Found {
  readonly need: Need;
  readonly price: number;
  /** The rest of the own hand, and of all others together. */
  readonly hand: Stock;
}

class Search {
  #steps = 0;
  readonly #within: ReadonlySet<string>;

  constructor(
    private readonly book: Book,
    hand: Stock,
    private readonly others: Others,
  ) {
    this.#within = reachable(book, [hand, ...others.values()]);
  }

  /** The cheapest way to so many of one of these items. */
  find(items: readonly string[], needed: Fraction, hand: Stock, path: readonly string[]): Found {
    const choices = this.#likely(items, hand).map((item) => this.#item(item, needed, hand, path));
    return choices.reduce((best, each) => (each.price < best.price ? each : best));
  }

  /** Items that somebody holds or could make, those of the own hand first; at least one. */
  #likely(items: readonly string[], hand: Stock): readonly string[] {
    const within = items.filter((item) => this.#within.has(item));
    const own = within.filter((item) => isSome(hand.get(item) ?? ZERO));
    const found = own.length > 0 ? own : within;
    return found.length > 0 ? found.slice(0, 8) : items.slice(0, 1);
  }

  #item(item: string, needed: Fraction, hand: Stock, path: readonly string[]): Found {
    this.#steps += 1;
    const held = least(hand.get(item) ?? ZERO, needed);
    const left = new Map(hand).set(item, minus(hand.get(item) ?? ZERO, held));
    const rest = minus(needed, held);
    const asked = this.#asked(item, needed, held, left);
    if (!isSome(rest) || path.includes(item) || path.length >= MOST_DEPTH || this.#steps > MOST_STEPS) return asked;
    const made = this.book
      .makers(item)
      .filter((recipe) => this.#isWithin(recipe))
      .map((recipe) => this.#made(item, needed, held, recipe, left, [...path, item]));
    return made.reduce((best, each) => (each.price < best.price ? each : best), asked);
  }

  #isWithin(recipe: Recipe): boolean {
    return this.book.slots(recipe).every((slot) => slot.items.some((item) => this.#within.has(item)));
  }

  /** The rest comes from another player. */
  #asked(item: string, needed: Fraction, held: Fraction, hand: Stock): Found {
    const missing = ceil(minus(needed, held));
    const holders = this.#holders(item);
    const there = holders.reduce((sum, { amount }) => plus(sum, amount), ZERO);
    const nobody = minus(missing, least(missing, there));
    const price = isSome(missing) ? ASK + EACH * numberOf(missing) + NOBODY * numberOf(nobody) : 0;
    const need = { item, needed, held, recipe: null, parts: [], holders, missing, isFuel: false };
    return { need, price, hand };
  }

  #made(item: string, needed: Fraction, held: Fraction, recipe: Recipe, hand: Stock, path: readonly string[]): Found {
    const batches = over(minus(needed, held), fraction(recipe.count));
    let price = STEP;
    const parts: Need[] = [];
    const add = (found: Found, isFuel = false) => {
      parts.push(isFuel ? { ...found.need, isFuel } : found.need);
      price += found.price;
      hand = found.hand;
    };
    for (const slot of this.book.slots(recipe)) add(this.find(slot.items, amountFor(slot, batches), hand, path));
    if (recipe.burns) add(this.#fuel(batches, hand), true);
    const holders = this.#holders(item);
    return { need: { item, needed, held, recipe, parts, holders, missing: ZERO, isFuel: false }, price, hand };
  }

  /** The fuel that is best to have: one's own, else the one that others have most heat of. */
  #fuel(batches: Fraction, hand: Stock): Found {
    const ticks = times(batches, fraction(this.book.smelt));
    const heat = (stock: Stock, item: string) =>
      times(stock.get(item) ?? ZERO, fraction(this.book.fuels.get(item) ?? 0));
    const own = [...hand.keys()].filter((item) => compare(heat(hand, item), ticks) >= 0);
    const all = [...this.others.values()]
      .flatMap((stock) => [...stock.keys()])
      .filter((item) => this.book.fuels.has(item));
    const fuel =
      best(own, (item) => this.book.fuels.get(item) ?? 0) ?? best(all, (item) => this.book.fuels.get(item) ?? 0);
    const item = fuel ?? 'coal';
    const needed = over(ticks, fraction(this.book.fuels.get(item) ?? 1));
    return this.#item(item, needed, hand, new Array<string>(MOST_DEPTH).fill(''));
  }

  #holders(item: string): Holder[] {
    const all = [...this.others].map(([seat, stock]) => ({ seat, amount: stock.get(item) ?? ZERO }));
    return all.filter(({ amount }) => isSome(amount)).sort((a, b) => compare(b.amount, a.amount));
  }
}

function best(items: readonly string[], worth: (item: string) => number): string | undefined {
  return [...items].sort((a, b) => worth(b) - worth(a))[0];
}

const amountFor = (slot: Slot, batches: Fraction) => times(batches, fraction(slot.count));
const numberOf = ({ n, d }: Fraction) => Number(n) / Number(d);

/** Everything that can be made from these hands together, however much there is of each. */
function reachable(book: Book, hands: readonly Stock[]): Set<string> {
  const found = new Set(hands.flatMap((hand) => [...hand.keys()]));
  let size = -1;
  while (size !== found.size) {
    size = found.size;
    for (const recipe of book.recipes)
      if (!found.has(recipe.product) && book.slots(recipe).every(({ items }) => items.some((item) => found.has(item))))
        found.add(recipe.product);
  }
  return found;
}

/** A way to so many of an item. */
export function wayTo(book: Book, item: string, needed: Fraction, hand: Stock, others: Others): Need {
  return new Search(book, hand, others).find([item], needed, hand, []).need;
}

/** All items that have to come from others. */
export function missingOf(need: Need): Map<string, Fraction> {
  const all = new Map<string, Fraction>();
  const visit = (each: Need) => {
    if (isSome(each.missing)) all.set(each.item, plus(all.get(each.item) ?? ZERO, each.missing));
    each.parts.forEach(visit);
  };
  visit(need);
  return all;
}

/** Whether everything that is needed for this is in the own hand, so that it can be made now. */
export function isReady(need: Need): boolean {
  return !isSome(need.missing) && need.parts.every(isReady);
}
