import {describe, expect, test} from 'vitest';
import {backgroundIn, forcedColor, isEastAsian, isPlain, isReflowing} from '../../../src/command-line/output/output.ts';

describe('the background', () => {
  test.each([
    [{TERM: 'xterm-256color'}, 'ask'],
    [{TERM: 'screen'}, 'ask'],
    [{TERM: 'tmux-256color', COLORFGBG: ''}, 'ask'],
    [{TERM: 'xterm', COLORFGBG: '15;0'}, 'dark'],
    [{TERM: 'rxvt-unicode', COLORFGBG: '7;default;0'}, 'dark'],
    [{TERM: 'xterm', COLORFGBG: '0;15'}, 'light'],
    [{TERM: 'linux'}, 'unknown'],
    [{TERM: 'vt100'}, 'unknown'],
    [{}, 'unknown'],
  ] as const)('of %o: %s', (env, expected) => {
    expect(backgroundIn(env)).toBe(expected);
  });
});

describe('colours', () => {
  test.each([
    [{NO_COLOR: '1', TERM: 'xterm'}, '0'],
    [{NO_COLOR: '', TERM: 'xterm'}, undefined],
    [{CLICOLOR: '0', TERM: 'xterm'}, '0'],
    [{CLICOLOR: '0', CLICOLOR_FORCE: '1', TERM: 'xterm'}, '1'],
    [{CLICOLOR_FORCE: '0', TERM: 'xterm'}, undefined],
    [{FORCE_COLOR: '2', CLICOLOR: '0'}, undefined],
    [{TERM: 'foot'}, '1'],
    [{TERM: 'xterm-kitty'}, undefined],
    [{TERM: 'dumb'}, undefined],
  ] as const)('with %o: %s', (env, expected) => {
    expect(forcedColor({}, env)).toBe(expected);
  });

  test('are none where the flag says so', () => {
    expect(forcedColor({'no-color': true}, {FORCE_COLOR: '1'})).toBe('0');
  });
});

test.each([
  [{TERM: 'xterm-256color'}, true],
  [{TERM: 'xterm', XTERM_VERSION: 'XTerm(379)'}, false],
  [{TERM: 'screen', STY: '1.pts'}, false],
  [{TERM: 'st-256color'}, false],
  [{TERM: 'linux'}, false],
] as const)('a terminal of %o wraps its lines anew: %s', (env, expected) => {
  expect(isReflowing(env)).toBe(expected);
});

test.each([
  [{LANG: 'ja_JP.UTF-8'}, true],
  [{LANG: 'ja_JP.UTF-8', LC_ALL: 'C.UTF-8'}, false],
  [{LC_CTYPE: 'zh_CN.UTF-8'}, true],
  [{LANG: 'en_GB.UTF-8'}, false],
] as const)('signs may be wide with %o: %s', (env, expected) => {
  expect(isEastAsian(env)).toBe(expected);
});

test('only ASCII is drawn by flag, by variable, and without Unicode', () => {
  const env = {LANG: 'C.UTF-8'};
  expect(isPlain({}, env)).toBe(false);
  expect(isPlain({plain: true}, env)).toBe(true);
  expect(isPlain({}, {...env, SETUP_PLAIN: '1'})).toBe(true);
  expect(isPlain({}, {...env, SETUP_PLAIN: '0'})).toBe(false);
  expect(isPlain({}, {LANG: 'C'})).toBe(true);
});
