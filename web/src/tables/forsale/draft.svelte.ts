/** The unsent choice of the viewer. Board and dock share it. */
export class Draft {
  /** The bid to be sent; null: none is entered. */
  amount: number | null = $state(null);
  /** The estate to be sold; null: none is picked. */
  estate: number | null = $state(null);
  /** Whether a dock shows the viewer's hand, so that the board need not. */
  isDocked = $state(false);
}
