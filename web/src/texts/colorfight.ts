export const colorfight = {
  gold: (amount: number) => `${amount} gold`,
  stage: (view: { over: boolean; turn: number; max_turn: number }) =>
    view.over ? 'over' : `turn ${view.turn} of ${view.max_turn}`,
};
