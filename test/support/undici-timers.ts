import {reset} from 'undici/lib/util/timers.js';
import {afterEach} from 'vitest';

// undici has one timer for the limits of all its connections. One that was made while a test held the time never ticks
// again, and the next test file in the same worker would wait for its limits for ever. A test that runs beside others
// holds no time, and to reset the timer would take the limits away from those others.
afterEach(({task}) => {
  if (task.concurrent !== true) reset();
});
