/** Six positions of a recorded match, seen by one of its players: see scripts/maze_tutorial.py. */
import { t } from './texts';
import type { TutorialStep } from '../contract';
import recorded from './tutorial.json';
import type { View } from './rules';

const PLAYERS: TutorialStep['players'] = [
  { name: t.maze.tutorial.you, kind: 'person' },
  { name: t.maze.tutorial.other, kind: 'bot' },
];

const VIEWS = recorded.steps as unknown as readonly View[];

export const tutorial: readonly TutorialStep<View>[] = t.maze.tutorial.steps.map(({ title, text }, i) => ({
  view: VIEWS[i]!,
  players: PLAYERS,
  title,
  text,
}));
