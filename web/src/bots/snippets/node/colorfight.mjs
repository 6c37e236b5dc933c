/** Attack neighbouring cells while the energy lasts. */
function decide(ask, view) {
  const { width, height, owner, attack_cost: cost } = view;
  const isMine = (x, y) => x >= 0 && x < width && y >= 0 && y < height && owner[y * width + x] === ask.uid;
  let energy = view.users[ask.uid - 1].energy;
  const orders = [];
  for (let cell = 0; cell < owner.length; cell++) {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    const isBeside = isMine(x - 1, y) || isMine(x + 1, y) || isMine(x, y - 1) || isMine(x, y + 1);
    if (isMine(x, y) || !isBeside || cost[cell] > energy) continue;
    energy -= cost[cell];
    orders.push(`a ${x} ${y} ${cost[cell]}`);
  }
  return { type: 'Command', orders: orders.slice(0, 1000) };
}
