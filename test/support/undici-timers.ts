import {reset} from 'undici/lib/util/timers.js';
import {afterEach} from 'vitest';

// undici has one timer for the limits of all its connections. A timer that was created while a test held the time
// never ticks again, and the next test file in the same worker would wait for its limits forever. A test that runs
// beside others does not hold the time, and a reset would remove the limits of those others.
afterEach(({task}) => {
  if (task.concurrent !== true) reset();
});
