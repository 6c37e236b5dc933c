export const join = {
  title: 'You are invited',
  lead: (title: string) => `A seat at a table of ${title} is kept for you.`,
  name: 'Your name',
  nameHint: 'You play as a guest. No account is needed.',
  as: (name: string) => `You sit down as ${name}.`,
  sit: 'Sit down',
  watch: 'Only watch',
  begun: 'This match has begun already.',
};
