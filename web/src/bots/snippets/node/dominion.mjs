const WORTH = { copper: 1, silver: 2, gold: 3 };
const PRICES = { province: 8, gold: 6, silver: 3 };

/** Buy the best of provinces, gold and silver. */
function decide(ask, view) {
  if (ask.type === 'AnswerAttack') return { type: 'Discard', cards: view.hand.slice(0, ask.discard) };
  if (ask.buys === 0) return { type: 'CleanUp' };
  const money = view.hand.reduce((sum, card) => sum + (WORTH[card] ?? 0), view.money);
  const affordable = Object.keys(PRICES).filter((card) => PRICES[card] <= money && view.supply[card] > 0);
  return { type: 'Buy', cards: affordable.slice(0, 1) };
}
