import {describe, expect, test} from 'vitest';
import {homeOf, isSamePath, isWithin, pathBelow} from '../../src/domain/paths.ts';

describe('paths of Windows', () => {
  test.each([
    ['C:\\Work\\App', 'c:\\work\\app'],
    ['C:\\Work\\App', 'C:/Work/App'],
    ['C:\\Work\\App\\', 'C:\\Work\\App'],
    ['\\\\Server\\Share\\App', '\\\\server\\share\\app'],
    ['C:\\Users\\JÖRG', 'C:\\Users\\jörg'],
  ])('%s is %s', (one, other) => {
    expect(isSamePath(one, other)).toBe(true);
    expect(isWithin(one, other)).toBe(true);
    expect(pathBelow(one, other)).toBeUndefined();
  });

  test('one lies below another in any capitals, and not by the beginning of a name', () => {
    expect(pathBelow('c:\\work\\App\\mcp.json', 'C:\\Work\\')).toBe('App\\mcp.json');
    expect(pathBelow('C:/Work/App/mcp.json', 'C:\\work')).toBe('App/mcp.json');
    expect(pathBelow('C:\\Workshop', 'C:\\Work')).toBeUndefined();
    expect(pathBelow('C:\\Work', 'C:\\')).toBe('Work');
    expect(isWithin('D:\\work', 'C:\\work')).toBe(false);
  });
});

describe('all other paths', () => {
  test('tell capitals from small letters', () => {
    expect(isSamePath('/work/App', '/work/app')).toBe(false);
    expect(isWithin('/Work/app', '/work')).toBe(false);
    expect(isSamePath('/work/a\\b', '/work/a/b')).toBe(false);
  });

  test('may end with a slash', () => {
    expect(isSamePath('/work/', '/work')).toBe(true);
    expect(isSamePath('/', '/')).toBe(true);
    expect(pathBelow('/work/app', '/work/')).toBe('app');
    expect(pathBelow('/work', '/')).toBe('work');
    expect(pathBelow('/workshop', '/work')).toBeUndefined();
    expect(pathBelow('/work', '/work')).toBeUndefined();
  });
});

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
