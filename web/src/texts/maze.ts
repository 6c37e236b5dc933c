export const maze = {
  heading: (view: { round: number; rows: number; columns: number }) =>
    view.round === 0 ? `${view.rows} × ${view.columns}` : `${view.rows} × ${view.columns} · round ${view.round}`,
  thumbnail: (view: { round: number; rows: number; columns: number }) =>
    `Maze of ${view.rows} by ${view.columns}, round ${view.round}`,
  board: (view: { rows: number; columns: number }, slide: MazeSlide | null, reached: number) =>
    `Board of ${view.rows} rows and ${view.columns} columns.` +
    (slide === null ? '' : ` Your slide: ${mazeSlide(slide)}; ${reached} cells can be reached.`),
  places: 'Seats in turn order',
  slides: 'Slides. The arrow keys go around the board.',
  slideButton: (slide: MazeSlide, isUndo: boolean) =>
    `Slide ${mazeSlide(slide)}${isUndo ? ', would undo the last slide' : ''}`,
  slideWords: (slide: MazeSlide) => {
    const words = mazeSlide(slide);
    return words.charAt(0).toUpperCase() + words.slice(1);
  },
  cells: 'Cells. The arrow keys go from cell to cell.',
  cell: (
    [row, column]: readonly [number, number],
    facts: {
      isReachable: boolean;
      isGoal: boolean;
      isYou: boolean;
      isHome: boolean;
      homes: readonly string[];
      avatars: readonly string[];
    },
  ) =>
    [
      `row ${row}, column ${column}`,
      ...(facts.isYou ? ['you stand here'] : []),
      ...(facts.isReachable ? ['reachable'] : []),
      ...(facts.isGoal ? ['your goal'] : []),
      ...(facts.isHome ? ['your home'] : []),
      ...facts.homes.map((name) => `home of ${name}`),
      ...facts.avatars.map((name) => `${name} stands here`),
    ].join(', '),
  you: 'you',
  toMove: 'to move',
  winner: 'won',
  left: 'has left',
  treasures: (count: number) => (count === 1 ? '1 treasure' : `${count} treasures`),
  home: ([row, column]: readonly [number, number]) => `home ${row}, ${column}`,
  stands: ([row, column]: readonly [number, number]) => `stands on row ${row}, column ${column}`,
  spot: ([row, column]: readonly [number, number]) => `row ${row}, column ${column}`,
  yourTreasure: 'Your treasure',
  goHome: 'Go home now',
  gems: (one: string, other: string) => (one === other ? `two of ${one}` : `${one} and ${other}`),
  key: {
    reach: (count: number) => (count === 1 ? '1 cell you can reach' : `${count} cells you can reach`),
    inserted: 'the tile you push in',
    last: 'last slide',
    lastBy: (name: string) => `last slide, by ${name}`,
    fixed: 'fixed tile',
    spare: 'the spare tile',
  },
  spare: 'spare',
  spareTile: 'Spare tile',
  spareShown: (degrees: number) => `The spare tile, turned by ${degrees} degrees`,
  turnLeft: 'Turn the spare to the left (R)',
  turnRight: 'Turn the spare to the right (Shift+R)',
  steps: 'Your move',
  slide: 'Slide',
  turn: 'Turn',
  walk: 'Walk',
  chooseSlide: 'Choose an arrow',
  chooseCell: 'Choose a lit cell',
  walkLater: 'After the slide',
  noWay: 'No way there',
  notAfterThis: 'Not after this slide',
  stepsTo: (steps: number, [row, column]: readonly [number, number]) => `${mazeSteps(steps)} to ${row}, ${column}`,
  stepsToTreasure: (steps: number) => `${mazeSteps(steps)} to your treasure`,
  stepsHome: (steps: number) => `${mazeSteps(steps)} home`,
  pass: 'Pass',
  go: 'Slide and walk',
  enter: 'Enter',
  keys: 'Keys: Tab to the arrows or cells, arrow keys to choose, R and Shift+R to turn the spare, Enter to move. The wheel turns the spare, too.',
  problems: {
    undo: 'This would undo the last slide.',
    stays: 'You would stay where you are. Walk to another cell.',
    unreachable: 'No way leads to this cell after the slide.',
    no_slide: 'Choose an arrow first.',
    no_cell: 'Choose a lit cell to walk to.',
  },
  notSent: 'The page does not send it, because an illegal move costs the seat.',
  cost: (words: string) => `Refused: ${words}. This cost you the seat.`,
  waitsFor: (name: string) => `${name} is to move.`,
  starting: 'The match goes on in a moment.',
  sending: 'Your move is on its way.',
  youLeft: 'You are no longer in this game.',
  decided: (names: readonly string[]) => (names.length === 0 ? 'Nobody won.' : `${names.join(' and ')} won.`),
  tutorial: {
    you: 'You',
    other: 'Euclid',
    steps: [
      {
        title: 'A maze that moves',
        text: 'You are the round piece. The ring marks your treasure: get there first, then come home to the cell with the house in your colour. Only you know your treasure.',
      },
      {
        title: 'Slide a row or a column',
        text: 'On a turn you push one of the lines with arrows by one tile. The spare tile goes into the gap, and the tile that falls off is the next spare. Turn the spare first if another direction suits you. Your opponent has just done that: the dotted lines show the last slide.',
      },
      {
        title: 'Then walk',
        text: 'After the slide you walk along open corridors, as far as you like. You must end on another tile. Pieces do not block each other, and a piece that is pushed off the board comes back on the tile that went in.',
      },
      {
        title: 'No undo',
        text: 'Nobody may push the last slide straight back: the arrow that would do so is crossed out. If nothing suits you, pass. When everybody passes in a round, the game ends.',
      },
      {
        title: 'Treasure found',
        text: 'A move that ends on your goal collects it. When no further treasures are left in the queue, your goal is your home. The others do not see that you have it.',
      },
      {
        title: 'Home',
        text: 'Coming home ends the game. The player with the most treasures wins, and if you are among them, coming home makes you the only winner.',
      },
    ],
  },
};

interface MazeSlide {
  readonly index: number;
  readonly direction: 'LEFT' | 'RIGHT' | 'UP' | 'DOWN';
}

function mazeSlide({ index, direction }: MazeSlide): string {
  const line = direction === 'LEFT' || direction === 'RIGHT' ? 'row' : 'column';
  return `${line} ${index} ${direction.toLowerCase()}`;
}

function mazeSteps(steps: number): string {
  return steps === 1 ? '1 step' : `${steps} steps`;
}
