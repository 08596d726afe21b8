import {setImmediate} from 'node:timers/promises';

// Loaded into a program under test: tells its memory when asked. Needs --expose-gc and a channel to the test; holds
// nothing open. The last resort of the collector is what gives free pages back: a plain collection keeps some for a
// while. What buffers held is freed by another thread, so that it is there to be given back only the next time.
process.on('message', async () => {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc({type: 'major', execution: 'sync', flavor: 'last-resort'});
    await setImmediate();
  }
  process.send({rss: process.memoryUsage.rss()});
});
process.channel.unref();
