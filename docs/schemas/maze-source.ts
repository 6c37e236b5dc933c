// The messages of Maze's own protocol. The same as a JSON Schema: maze-source.json.

export type Message = Request | Response;

export interface Request {
  type: "REQUEST";
  id: UUID;
  body: Registration | RegistrationOver | GameStart | RequestAction | StateUpdate | GameOver;
}

export interface Response {
  type: "RESPONSE";
  id: UUID; // that of the RequestAction
  body: ResponseAction;
}

// From the server

export interface Registration {
  type: "Registration";
  playerId: UUID; // yours, in this game
  treasure: GemPair; // lies on the tile of your first goal
}

export interface RegistrationOver {
  type: "RegistrationOver";
}

export interface GameStart {
  type: "GameStart";
  turnInfo: PlayerTurnRoundInfo;
  stateInfo: StateInfo;
}

export interface RequestAction {
  type: "RequestAction";
  turnInfo: PlayerTurnRoundInfo;
  stateInfo: StateInfo;
}

export interface StateUpdate {
  type: "StateUpdate";
  turnInfo: PlayerTurnRoundInfo;
  stateInfo: StateInfo;
}

export interface GameOver {
  type: "GameOver";
  winner: UUID | "DRAW"; // "DRAW" for several winners, and for none
  winners: UUID[];
  removed: UUID[];
}

// From the player

export interface ResponseAction {
  type: "ResponseAction";
  move: SlideMove | Pass;
}

export interface SlideMove {
  type: "MOVE";
  slideAction: SlideAction & { rotations: 0 | 1 | 2 | 3 }; // quarter turns of the spare, counter-clockwise
  moveTo: Coordinate;
}

export interface Pass {
  type: "PASS";
}

// What is in them

/** What its reader alone may know, besides whose turn it is. */
export interface PlayerTurnRoundInfo {
  round: Natural; // from 1
  turn: Natural; // turns taken in the game so far
  activePlayerId: UUID | ""; // who acts now; "" if nobody is left
  turnOrder: UUID[]; // who is still there, whoever acts now first
  goal: Coordinate; // yours
  goalKind: "TREASURE" | "HOME"; // "HOME": arrive, and the game is over
  treasuresCollected: Natural; // by you
  timeLimitMs: Natural; // for the response; 0 where none is wanted
}

/** The same for everybody. */
export interface StateInfo {
  board: Board;
  playerInfo: { [playerId: string]: PlayerInfo }; // those who are still there
  lastSlide: SlideAction | null; // must not be undone
  passedSoFar: Natural; // passes in this round
}

export interface PlayerInfo {
  home: Coordinate;
  position: Coordinate;
  turn: Natural; // place in the order of turns; 0 acts now
  color: string;
}

export interface Board {
  rows: Natural;
  columns: Natural;
  tiles: Tile[][]; // row by row from the top, each from left to right
  spareTile: Tile;
}

export interface Tile {
  connector: "│" | "─" | "┐" | "└" | "┌" | "┘" | "┬" | "├" | "┴" | "┤" | "┼";
  treasure: GemPair;
}

export interface SlideAction {
  direction: "LEFT" | "RIGHT" | "UP" | "DOWN";
  index: Natural; // a row for LEFT and RIGHT, a column for UP and DOWN; even
}

export interface Coordinate {
  row: Natural; // 0 is the top
  column: Natural; // 0 is the left
}

export type GemPair = [string, string]; // in no order
export type UUID = string; // 32 hexadecimal digits
export type Natural = number; // whole, from 0
