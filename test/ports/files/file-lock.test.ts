import {rmdirSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {lockFile} from '../../../src/ports/files/lock.ts';
import {temporaryDirectory} from '../../support/place.ts';

test('a lock that another process takes for one left behind, just as it is made, is taken again', async () => {
  const path = join(await temporaryDirectory(), 'credentials.json');
  let isTaken = false;
  const taking = lockFile(path);
  const settled = taking.then(
    () => true,
    () => true,
  );
  // As on a busy machine: several processes find the same lock too old, and one of them removes the next holder's
  // lock.
  while (!isTaken && !(await Promise.race([settled, nextTurn(false)]))) {
    try {
      rmdirSync(`${path}.lock`);
      isTaken = true;
    } catch {
      // The lock does not exist yet.
    }
  }
  const lock = await taking;
  expect([isTaken, lock.isLost]).toEqual([true, false]);
  await lock.release();
});
