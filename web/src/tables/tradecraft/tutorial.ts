/** Five positions of a short match, seen by one of its players: see scripts/tradecraft_tutorial.py. */
import { t } from './texts';
import type { TutorialStep } from '../contract';
import recorded from './tutorial.json';
import type { View } from './types';

const PLAYERS: TutorialStep['players'] = [
  { name: t.tradecraft.tutorial.you, kind: 'person' },
  { name: t.tradecraft.tutorial.other, kind: 'bot' },
];

const VIEWS = recorded as unknown as readonly View[];

export const tutorial: readonly TutorialStep<View>[] = t.tradecraft.tutorial.steps.map(({ title, text }, i) => ({
  view: VIEWS[i]!,
  players: PLAYERS,
  title,
  text,
}));
