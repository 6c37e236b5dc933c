/** The recipe book of the arena, arranged for the bench. All facts are the server's. */
import type { Schemas } from '../../api/client';

export type RecipeBook = Schemas['RecipeBook'];
export type Recipe = Schemas['Formula'];

/** A part of a recipe: so many of one item, or of any mix of several. */
export interface Slot {
  /** As in the book: an item, `#tag`, or `a|b`. */
  readonly words: string;
  readonly count: number;
  readonly items: readonly string[];
}

export class Book {
  readonly smelt: number;
  readonly recipes: readonly Recipe[];
  readonly fuels: ReadonlyMap<string, number>;
  /** By item: the container that comes back when it is used up. */
  readonly containers: ReadonlyMap<string, string>;
  readonly #makers = new Map<string, readonly Recipe[]>();
  readonly #slots = new Map<Recipe, readonly Slot[]>();

  constructor(private readonly told: RecipeBook) {
    this.smelt = told.smelt;
    this.recipes = told.recipes;
    this.fuels = new Map(Object.entries(told.fuels));
    this.containers = new Map(Object.entries(told.containers));
    for (const recipe of told.recipes) this.#makers.set(recipe.product, [...this.makers(recipe.product), recipe]);
  }

  /** The recipes that make an item. */
  makers(item: string): readonly Recipe[] {
    return this.#makers.get(item) ?? [];
  }

  slots(recipe: Recipe): readonly Slot[] {
    let slots = this.#slots.get(recipe);
    if (slots === undefined) {
      slots = Object.entries(recipe.input).map(([words, count]) => ({ words, count, items: this.#items(words) }));
      this.#slots.set(recipe, slots);
    }
    return slots;
  }

  #items(words: string): readonly string[] {
    return words.startsWith('#') ? (this.told.tags[words.slice(1)] ?? []) : words.split('|');
  }
}
