/** Pass. A move that is not legal costs the seat, so this is a safe start; view.tiles is the board. */
function decide(ask, view) {
  return { type: 'Pass' };
}
