import {test} from 'vitest';

/**
 * A test of what Windows does not have, or not so: permission bits, links that anybody may make, named pipes, `sh` and its
 * tools, a umask. It is left out there.
 */
export const onUnix = test.skipIf(process.platform === 'win32');
