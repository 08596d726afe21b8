import {setImmediate} from 'node:timers/promises';

// Loaded into a program under test: reports its memory on request. Needs --expose-gc and a channel to the test; keeps
// nothing open. Only the collector's last resort returns free pages: a plain collection keeps some for a while.
// Another thread frees the memory of buffers, so that it can be returned only in the next round.
process.on('message', async () => {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc({type: 'major', execution: 'sync', flavor: 'last-resort'});
    await setImmediate();
  }
  process.send({rss: process.memoryUsage.rss()});
});
process.channel.unref();
