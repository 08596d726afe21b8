import {knownFault} from '../../errors/describe-error.ts';
import type {SetupError} from '../../errors/errors.ts';
import type {Run} from '../flow.ts';
import {ROLE_TIME} from '../time-limits.ts';

/** How often to look for an awaited role, in milliseconds. */
const ROLE_PAUSE = 2_000;

/**
 * Begins to wait for a role until `until`, in milliseconds since the epoch: by default for a minute. The result is
 * called each time that the role is still missing: it waits a moment, and returns whether to look again. The first time,
 * it reports what is missing.
 */
export const createRoleWait = (
  {ports: {clock}, signal, tell}: Run,
  until = clock.now() + ROLE_TIME,
): ((missing: SetupError) => Promise<boolean>) => {
  let isTold = false;
  return async missing => {
    if (clock.now() >= until) return false;
    if (!isTold) tell({type: 'role-awaited', until, missing: knownFault(missing)});
    isTold = true;
    await clock.sleep(ROLE_PAUSE, signal);
    return true;
  };
};
