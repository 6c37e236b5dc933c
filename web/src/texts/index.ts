/**
 * The English texts of the page, a file for each place; texts that the arena sends (events, faults, rules) are not here.
 *
 * These are the shared ones. Tables and large pages add their own in a `texts.ts` of their folder, so that they are
 * loaded with them.
 */
import { account } from './account';
import { chat, reports } from './chat';
import { clock } from './clock';
import { frame } from './frame';
import { game } from './game';
import { home } from './home';
import { join } from './join';
import { kinds } from './kinds';
import { lobby } from './lobby';
import { match } from './match';
import { matches } from './matches';
import { open } from './open';
import { proof } from './proof';
import { replay } from './replay';
import { rooms } from './rooms';

export const t = {
  frame,
  kinds,
  chat,
  clock,
  match,
  home,
  game,
  open,
  lobby,
  join,
  matches,
  account,
  replay,
  reports,
  rooms,
  proof,
};
