/** The context that all inputs of a form share. */
import { createContext } from 'svelte';
import type { Player } from '../contract';
import type { GenericDraft } from './draft.svelte';
import type { Problems } from './forms';
import type { GameSchema } from './schema';
import type { Source } from './sources';

export interface FormContext {
  readonly game: GameSchema;
  readonly players: readonly Player[];
  readonly you: number | null;
  readonly sources: readonly Source[];
  readonly draft: GenericDraft;
  /** The problems to show; none before the first attempt to send. */
  readonly problems: Problems;
  /** The beginning of the ids of all inputs. */
  readonly id: string;
}

export const [formContext, setFormContext] = createContext<FormContext>();
