import {expect, test} from 'vitest';
import {codeOfStatus} from '../../src/errors/http-status.ts';

test.each([
  [[300, 301, 302, 303, 307, 308, 399], 'network-redirected'],
  [[401], 'auth-token-refused'],
  [[403], 'auth-permission-missing'],
  [[404, 405, 410, 421], 'platform-no-such-endpoint'],
  [[503], 'platform-unhealthy'],
  [[500, 502, 504, 599], 'platform-error'],
  [[400, 409, 418, 429, 431, 451], 'platform-rejected'],
] as const)('%j is %s', (statuses, code) => {
  expect(statuses.map(codeOfStatus)).toEqual(statuses.map(() => code));
});
