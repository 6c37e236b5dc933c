export const kinds = { person: 'person', bot: 'bot', model: 'model', program: 'program' };
