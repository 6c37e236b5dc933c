/** All English texts of the page, a file for each place. Texts that the arena sends (events, faults, rules) are not here. */
import { account } from './account';
import { bots } from './bots';
import { chat, reports } from './chat';
import { clock } from './clock';
import { colorfight } from './colorfight';
import { dominion } from './dominion';
import { forsale } from './forsale';
import { frame } from './frame';
import { game } from './game';
import { generic } from './generic';
import { home } from './home';
import { host } from './host';
import { join } from './join';
import { kinds } from './kinds';
import { lobby } from './lobby';
import { match } from './match';
import { matches } from './matches';
import { maze } from './maze';
import { open } from './open';
import { projector } from './projector';
import { proof } from './proof';
import { replay } from './replay';
import { rooms } from './rooms';
import { tradecraft } from './tradecraft';

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
  bots,
  host,
  forsale,
  maze,
  dominion,
  colorfight,
  tradecraft,
  generic,
  replay,
  reports,
  projector,
  rooms,
  proof,
};
