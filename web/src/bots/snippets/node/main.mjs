// A bot that speaks protocol 1 over WebSocket, for Node 22 or newer, without any package: node bot.mjs

// decide

const line = new WebSocket('ws://127.0.0.1:8000/play/GAME');
const say = (message) => line.send(JSON.stringify(message));

line.onmessage = ({ data }) => {
  const message = JSON.parse(data);
  if (message.type === 'hello') {
    say({ type: 'hello', name: 'node bot', token: process.env.PARLOUR_TOKEN, again: true });
  } else if (message.type === 'ask' || message.type === 'again') {
    // again: you ask it on the page, about a match that is over
    const type = message.type === 'ask' ? 'answer' : 'again';
    say({ type, id: message.id, action: decide(message.ask, message.view) });
  } else if (message.type === 'fault') {
    console.log(message.words);
  } else if (message.type === 'over' || message.type === 'error') {
    console.log(message);
    line.close();
  }
};
line.onerror = () => console.log('no connection');
