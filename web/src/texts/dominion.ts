export const dominion = {
  actions: 'actions',
  buys: 'buys',
  money: 'money',
  cards: (count: number) => (count === 1 ? '1 card' : `${count} cards`),
  stage: (view: { over: boolean; areas: readonly { turns: number }[] }) =>
    view.over ? 'over' : `turn ${Math.max(1, ...view.areas.map((area) => area.turns))}`,
};
