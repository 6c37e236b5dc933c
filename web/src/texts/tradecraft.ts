export const tradecraft = {
  nothing: 'nothing',
  proposes: 'proposes',
  rejected: 'no trade',
  target: 'Target',
  phases: { propose: 'thinks', decide: 'proposes', craft: 'craft', over: 'over' } as Record<string, string>,
  stage: (view: { phase: string; turn: number; max_turn: number }) =>
    view.phase === 'over' ? 'over' : `turn ${view.turn} of ${view.max_turn}`,
};
