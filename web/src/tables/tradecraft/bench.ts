/** The items that a recipe takes from a hand and leaves, before it is sent. The referee checks it again. */
import type { Book, Recipe, Slot } from './book';
import {
  ceil,
  compare,
  floor,
  fraction,
  isSome,
  isWhole,
  itemsOf,
  least,
  minus,
  over,
  plus,
  times,
  ZERO,
  type Fraction,
  type Stock,
} from './fraction';
import type { Check } from './types';

/** An item that goes into a slot or under the furnace. */
export interface Taken {
  readonly item: string;
  readonly amount: Fraction;
}

/** One slot of a recipe, filled as far as the hand can. */
export interface Filled {
  readonly slot: Slot;
  readonly needed: Fraction;
  readonly taken: readonly Taken[];
  readonly lacking: Fraction;
}

export interface Fire {
  readonly ticks: Fraction;
  readonly taken: readonly Taken[];
  /** Ticks that are missing. */
  readonly lacking: Fraction;
  /** The fuel that the words are about: the one that is used, or a usual one. */
  readonly fuel: string;
  readonly each: number;
}

/** A recipe, so many batches of it, and where the ingredients come from. */
export interface Craft {
  readonly recipe: Recipe;
  readonly batches: Fraction;
  readonly output: Fraction;
  readonly slots: readonly Filled[];
  /** null: nothing is smelted. */
  readonly fire: Fire | null;
  readonly input: Stock;
  /** Containers that come back. */
  readonly returns: Stock;
  /** The hand afterwards. */
  readonly left: Stock;
  /** Whether it is a part of a batch where only whole ones are allowed. */
  readonly isPartial: boolean;
  readonly isPossible: boolean;
}

/** Items to take first, such as a kind of planks or a fuel that the player chose. */
export type Preferred = ReadonlySet<string>;

const USUAL_FUEL = 'coal';

class Filling {
  readonly left: Map<string, Fraction>;
  readonly input = new Map<string, Fraction>();

  constructor(
    hand: Stock,
    private readonly preferred: Preferred,
  ) {
    this.left = new Map(hand);
  }

  /** Take items until they are worth `needed`; what was taken, and what is still needed. */
  take(items: readonly string[], needed: Fraction, worth: (item: string) => number): [Taken[], Fraction] {
    const taken: Taken[] = [];
    const held = items.filter((item) => isSome(this.left.get(item) ?? ZERO));
    held.sort((a, b) => Number(this.preferred.has(b)) - Number(this.preferred.has(a)));
    for (const item of held) {
      if (!isSome(needed)) break;
      const each = fraction(worth(item));
      const amount = least(this.left.get(item) ?? ZERO, over(needed, each));
      this.#move(item, amount);
      taken.push({ item, amount });
      needed = minus(needed, times(amount, each));
    }
    return [taken, needed];
  }

  #move(item: string, amount: Fraction): void {
    this.left.set(item, minus(this.left.get(item) ?? ZERO, amount));
    this.input.set(item, plus(this.input.get(item) ?? ZERO, amount));
  }
}

/** So many batches of a recipe, made from a hand as far as it goes. */
export function craftOf(
  book: Book,
  recipe: Recipe,
  batches: Fraction,
  hand: Stock,
  preferred: Preferred = new Set(),
  wholeBatches = false,
): Craft {
  const filling = new Filling(hand, preferred);
  const slots = book.slots(recipe).map((slot) => {
    const needed = times(batches, fraction(slot.count));
    const [taken, lacking] = filling.take(slot.items, needed, () => 1);
    return { slot, needed, taken, lacking };
  });
  const fire = recipe.burns ? fireOf(book, filling, batches) : null;
  const output = times(batches, fraction(recipe.count));
  const returns = returned(book, filling.input);
  for (const [item, amount] of [...returns, [recipe.product, output] as const])
    filling.left.set(item, plus(filling.left.get(item) ?? ZERO, amount));
  const isPartial = wholeBatches && !isWhole(batches);
  const isShort = slots.some(({ lacking }) => isSome(lacking)) || isSome(fire?.lacking ?? ZERO);
  const { input, left } = filling;
  const isPossible = !isPartial && !isShort && isSome(batches);
  return { recipe, batches, output, slots, fire, input, returns, left, isPartial, isPossible };
}

function fireOf(book: Book, filling: Filling, batches: Fraction): Fire {
  const ticks = times(batches, fraction(book.smelt));
  const burning = (item: string) => book.fuels.get(item) ?? 0;
  const fuels = [...filling.left.keys()].filter((item) => burning(item) > 0);
  /** The ticks in the part of a piece that would be left, and lost at the end of the turn. */
  const waste = (item: string) => {
    const pieces = over(ticks, fraction(burning(item)));
    return times(minus(ceil(pieces), pieces), fraction(burning(item)));
  };
  fuels.sort((a, b) => compare(waste(a), waste(b)) || burning(b) - burning(a));
  const [taken, lacking] = filling.take(fuels, ticks, burning);
  const fuel = taken[0]?.item ?? USUAL_FUEL;
  return { ticks, taken, lacking, fuel, each: burning(fuel) };
}

function returned(book: Book, input: Stock): Map<string, Fraction> {
  const returns = new Map<string, Fraction>();
  for (const [item, amount] of input) {
    const empty = book.containers.get(item);
    if (empty !== undefined) returns.set(empty, plus(returns.get(empty) ?? ZERO, amount));
  }
  return returns;
}

/** The most batches that a hand can make; whole products only, because parts of them are lost at the end of the turn. */
export function mostBatches(book: Book, recipe: Recipe, hand: Stock, wholeBatches = false): Fraction {
  const held = (items: Iterable<string>) => [...items].reduce((sum, item) => plus(sum, hand.get(item) ?? ZERO), ZERO);
  let most: Fraction | null = null;
  for (const slot of book.slots(recipe)) {
    const here = over(held(slot.items), fraction(slot.count));
    most = most === null ? here : least(most, here);
  }
  if (most === null) return ZERO;
  if (recipe.burns) most = least(most, heated(book, recipe, hand));
  if (wholeBatches) return floor(most);
  const count = fraction(recipe.count);
  return over(floor(times(most, count)), count);
}

/** The batches for which a hand has fuel. A log that becomes charcoal cannot burn as well. */
function heated(book: Book, recipe: Recipe, hand: Stock): Fraction {
  let heat = ZERO;
  for (const [item, amount] of hand) heat = plus(heat, times(amount, fraction(book.fuels.get(item) ?? 0)));
  const own = book.fuels.get(book.slots(recipe)[0]?.items[0] ?? '') ?? 0;
  return over(heat, fraction(book.smelt + own));
}

/** The message that asks the referee whether this can be crafted. */
export function checkOf({ recipe, input, output }: Craft): Check {
  return { type: 'Check', input: itemsOf(input), output: itemsOf(new Map([[recipe.product, output]])) };
}

/** The parts of items in a hand, which are lost when its player is done. */
export function scraps(hand: Stock): Map<string, Fraction> {
  const parts = [...hand].map(([item, amount]) => [item, minus(amount, floor(amount))] as const);
  return new Map(parts.filter(([, part]) => isSome(part)));
}

export interface Hit {
  readonly recipe: Recipe;
  readonly most: Fraction;
  /** Slots for which the hand has too little for one product, or one batch. */
  readonly lacking: readonly Filled[];
  /** Whether only the fuel is missing. */
  readonly lacksFuel: boolean;
}

/** A recipe as it is listed. */
export function hitOf(book: Book, recipe: Recipe, hand: Stock, wholeBatches: boolean): Hit {
  const most = mostBatches(book, recipe, hand, wholeBatches);
  if (isSome(most)) return { recipe, most, lacking: [], lacksFuel: false };
  const one = craftOf(book, recipe, wholeBatches ? fraction(1) : fraction(1, recipe.count), hand);
  const lacking = one.slots.filter((filled) => isSome(filled.lacking));
  return { recipe, most, lacking, lacksFuel: lacking.length === 0 };
}

/** Recipes whose product has these words in its name: the best first. Without words, those that the hand can make. */
export function search(book: Book, words: string, hand: Stock, wholeBatches: boolean, most: number): Hit[] {
  const wanted = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ');
  const hits = book.recipes
    .filter((recipe) => wanted === '' || nameOf(recipe.product).includes(wanted))
    .filter((recipe) => wanted !== '' || couldUse(book, recipe, hand))
    .map((recipe) => hitOf(book, recipe, hand, wholeBatches))
    .filter((hit) => wanted !== '' || isSome(hit.most));
  return ranked(hits, wanted).slice(0, most);
}

/** Recipes that use an item, those that the hand can make first. */
export function usesOf(book: Book, item: string, hand: Stock, wholeBatches: boolean, most: number): Hit[] {
  const hits = book.recipes
    .filter((recipe) => book.slots(recipe).some((slot) => slot.items.includes(item)))
    .map((recipe) => hitOf(book, recipe, hand, wholeBatches));
  return ranked(hits, '').slice(0, most);
}

function ranked(hits: Hit[], wanted: string): Hit[] {
  const place = ({ recipe }: Hit) => {
    const name = nameOf(recipe.product);
    return wanted === '' ? 1 : name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
  };
  const order = (a: Hit, b: Hit) =>
    place(a) - place(b) ||
    Number(isSome(b.most)) - Number(isSome(a.most)) ||
    a.lacking.length - b.lacking.length ||
    a.recipe.product.localeCompare(b.recipe.product) ||
    b.recipe.count - a.recipe.count;
  return hits.sort(order);
}

function couldUse(book: Book, recipe: Recipe, hand: Stock): boolean {
  return book.slots(recipe).every((slot) => slot.items.some((item) => hand.has(item)));
}

/** An item's name as people write it. */
export function nameOf(item: string): string {
  return item.replaceAll('_', ' ');
}

/** Whether two amounts are the same. */
export const isSame = (a: Fraction, b: Fraction) => compare(a, b) === 0;
