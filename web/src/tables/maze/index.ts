import type { GameTable } from '../contract';
import Board from './Board.svelte';
import Dock from './Dock.svelte';

const table: GameTable = { Board, Dock, newDraft: () => ({}), heading: () => '', tutorial: [] };
export default table;
