import {test} from 'vitest';

/**
 * A test of what Windows lacks or does differently: permission bits, links that any account may create, named pipes,
 * `sh` and its tools, a umask. Skipped on Windows.
 */
export const onUnix = test.skipIf(process.platform === 'win32');
