/** Positions of a recorded match: see scripts/colorfight_tutorial.py. */
import { t } from './texts';
import type { TutorialStep } from '../contract';
import recorded from './tutorial.json';
import type { View } from './types';

const VIEWS = recorded as unknown as readonly View[];

export const tutorial: readonly TutorialStep<View>[] = t.colorfight.tutorial.steps.map(({ title, text }, i) => ({
  view: VIEWS[i]!,
  players: t.colorfight.tutorial.players.map((name, seat) => ({ name, kind: seat === 0 ? 'person' : 'bot' })),
  title,
  text,
}));
