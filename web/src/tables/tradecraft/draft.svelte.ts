/** The unsent acts of the viewer: a proposal, a reply, and a recipe on the bench. Shared by the board and the dock. */
import type { Recipe } from './book';
import { fraction, over, times, typed, written, type Fraction } from './fraction';
import { changed, type Side, type Typed } from './proposal';
import type { Check } from './types';

/** An item that is being dragged, and where the pointer is in the window. */
export interface Dragged {
  readonly item: string;
  readonly seat: number;
  readonly x: number;
  readonly y: number;
  /** The place below the pointer where it could be dropped. */
  readonly over: string | null;
}

export class TradeDraft {
  partner: number | null = $state(null);
  offer: Typed = $state.raw({});
  request: Typed = $state.raw({});
  message = $state('');
  /** Whether the viewer tried to send a proposal that cannot be sent. */
  isTried = $state(false);
  /** The turn in which the proposal was sent; it is kept until the referee has taken it. */
  sentIn: number | null = $state(null);

  reply = $state('');

  words = $state('');
  /** An item whose uses are listed instead of what was searched for. */
  uses: string | null = $state(null);
  recipe: Recipe | null = $state.raw(null);
  /** How many products, as typed. */
  amount = $state('');
  /** Items to take first where a recipe takes any of several. */
  preferred: ReadonlySet<string> = $state.raw(new Set());
  /** The recipe that was sent to be checked, and is to be crafted if it is right. */
  checking: Check | null = $state.raw(null);

  dragged: Dragged | null = $state.raw(null);

  /** The request is from another hand if the partner changes, and begins anew. */
  choosePartner(seat: number): void {
    if (this.partner !== seat && this.partner !== null) this.request = {};
    this.partner = seat;
    this.isTried = false;
  }

  /** Put one item more or fewer on a side. */
  change(side: Side, item: string, by: number): void {
    this[side] = changed(this[side], item, by);
    this.isTried = false;
  }

  type(side: Side, item: string, text: string): void {
    this[side] = { ...this[side], [item]: text };
  }

  takeOut(side: Side, item: string): void {
    const { [item]: _, ...others } = this[side];
    this[side] = others;
  }

  clearProposal(): void {
    this.offer = {};
    this.request = {};
    this.message = '';
    this.sentIn = null;
    this.isTried = false;
  }

  open(recipe: Recipe, amount: Fraction): void {
    this.recipe = recipe;
    this.amount = String(written(amount));
    this.uses = null;
  }

  /** List the recipes again. */
  leaveRecipe(): void {
    this.recipe = null;
    this.preferred = new Set();
  }

  showUses(item: string): void {
    this.leaveRecipe();
    this.words = '';
    this.uses = item;
  }

  /** How many batches are wanted; null if no amount was typed. */
  get batches(): Fraction | null {
    const amount = typed(this.amount);
    return amount === null || this.recipe === null ? null : over(amount, fraction(this.recipe.count));
  }

  setBatches(batches: Fraction): void {
    if (this.recipe === null || batches.n <= 0n) return;
    this.amount = String(written(times(batches, fraction(this.recipe.count))));
  }

  /** Take this item before others of the same group. */
  prefer(item: string, group: readonly string[]): void {
    this.preferred = new Set([...this.preferred].filter((each) => !group.includes(each)).concat(item));
  }
}
