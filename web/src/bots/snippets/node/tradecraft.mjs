/** Propose nothing, take gifts, craft nothing: a safe start. view.target is what wins. */
function decide(ask, view) {
  if (ask.type === 'MakeProposal') {
    const partner = view.order.find((seat) => seat !== view.seat && !view.gone.includes(seat));
    return { type: 'Propose', partner };
  }
  if (ask.type === 'DecideProposal') {
    const isGift = Object.keys(view.proposal.request).length === 0;
    return { type: 'Decide', decision: isGift ? 'accept' : 'reject' };
  }
  return { type: 'Done' };
}
