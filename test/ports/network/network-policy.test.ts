import {expect, test} from 'vitest';
import {checkAddress, policyOf} from '../../../src/ports/network/network-policy.ts';
import {createRoute} from '../../../src/ports/network/route.ts';

test('a host that is allowed for the platform in use may be called as long as that is in use', () => {
  const route = createRoute();
  const policy = policyOf({allowHttp: ['first.lan']}, route);
  const isAllowed = (host: string) => {
    try {
      checkAddress(new URL(`http://${host}`), policy);
      return true;
    } catch {
      return false;
    }
  };
  expect([isAllowed('first.lan'), isAllowed('second.lan')]).toEqual([true, false]);
  route.use({allowHttp: ['second.lan']});
  expect([isAllowed('first.lan'), isAllowed('second.lan')]).toEqual([true, true]);
  route.use({});
  expect(isAllowed('second.lan')).toBe(false);
});
