import {vi} from 'vitest';

/**
 * A wait ends when its condition holds, so its limit is only for what never happens. One second, the default of
 * `vi.waitFor`, is too short on a busy machine; `expect.poll` has the same limit as here.
 */
const waitFor = vi.waitFor.bind(vi);
vi.waitFor = (callback, options) => waitFor(callback, options ?? {timeout: 15_000});
