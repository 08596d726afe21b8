import {describe, expect, test, vi} from 'vitest';
import {createBackground} from '../../../src/screens/parts/theme.ts';

const answer = (color: string, end = '\u001B\\') => `\u001B]11;${color}${end}`;

describe('a background is dark', () => {
  test.each([
    ['black, of xterm', answer('rgb:0000/0000/0000'), true],
    ['Solarized dark', answer('rgb:0000/2b2b/3636', '\u0007'), true],
    ['two digits a part', answer('rgb:1e/1e/1e'), true],
    ['with an alpha channel', answer('rgba:0000/0000/0000/ffff'), true],
    ['a dark grey that green is hard to read on', answer('rgb:2c2c/2c2c/2c2c'), false],
    ['white', answer('rgb:ffff/ffff/ffff'), false],
    ['Solarized light', answer('rgb:fdfd/f6f6/e3e3'), false],
  ])('%s', (_name, said, expected) => {
    const background = createBackground(!expected);
    background.hear(said);
    expect(background.isDark()).toBe(expected);
  });

  test('by what the environment says, until the terminal answers', () => {
    expect(createBackground().isDark()).toBe(false);
    expect(createBackground(true).isDark()).toBe(true);
  });

  test('and nothing else that a terminal says changes that', () => {
    const background = createBackground(true);
    const listener = vi.fn();
    background.subscribe(listener);
    for (const said of ['\u001B]10;rgb:ffff/ffff/ffff\u0007', '\u001B[?62c', answer('none')]) background.hear(said);
    expect(background.isDark()).toBe(true);
    expect(listener).not.toHaveBeenCalled();
  });
});

test('who listens is told, until it stops listening', () => {
  const background = createBackground();
  const listener = vi.fn();
  const stop = background.subscribe(listener);
  background.hear(answer('rgb:0000/0000/0000'));
  expect(listener).toHaveBeenCalledTimes(1);
  stop();
  background.hear(answer('rgb:ffff/ffff/ffff'));
  expect(listener).toHaveBeenCalledTimes(1);
});
