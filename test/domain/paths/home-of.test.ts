import {expect, test} from 'vitest';
import {homeOf} from '../../../src/domain/paths/home-of.ts';

test.each([
  ['linux', {HOME: '/home/ann'}, '/home/ann'],
  ['linux', {HOME: '/home/ann', USERPROFILE: 'C:\\Users\\ann'}, '/home/ann'],
  ['linux', {HOME: ''}, undefined],
  ['win32', {HOME: '/c/Users/ann', USERPROFILE: 'C:\\Users\\ann'}, 'C:\\Users\\ann'],
  ['win32', {HOME: 'C:\\home', USERPROFILE: ''}, 'C:\\home'],
  ['win32', {}, undefined],
] as const)('on %s with %o: %s', (platform, env, home) => {
  expect(homeOf(env, platform)).toBe(home);
});
