import {describe, expect, test} from 'vitest';
import {backgrounds, contrast} from '../../support/terminal/contrast.ts';
import {type Cell, screenCells} from '../../support/terminal/terminal-runs.ts';
import {goTo, openSetup, reaches, type ScreenName} from '../support/wizard.ts';

test('the wizard has colours of the terminal’s own sixteen', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'done');
  expect(coloursIn(terminal.raw()).length).toBeGreaterThan(0);
  expect(coloursIn(terminal.raw()).every(code => code !== 38 && code !== 48)).toBe(true);
});

test.each([
  {name: 'NO_COLOR', args: [], env: {NO_COLOR: '1'}},
  {name: '--no-color', args: ['--no-color'], env: {}},
])('$name takes every colour away, and nothing that colour says is lost', async ({args, env}) => {
  const terminal = openSetup(['demo', ...args], {env});
  const screen = await goTo(terminal, 'done');
  expect(screen).toContain('✔ MCP JSON');
  expect(coloursIn(terminal.raw())).toEqual([]);
});

describe('the headline of the end', () => {
  const headlineAfter = async (answer: string, env = {}) => {
    const terminal = openSetup(['demo'], {env});
    await goTo(terminal, 'review');
    terminal.press(answer, 'enter');
    await reaches(terminal, 'done');
    const line = screenCells(terminal.emulator).find(cells => textOf(cells).includes('All set:')) ?? [];
    return {sign: line.find(({text}) => text === '✔')?.style.color, words: line.find(isOfWord)?.style};
  };

  test('is green on a dark background, which the terminal is asked for', async () => {
    const {sign, words} = await headlineAfter('\x1b]11;rgb:0000/2b2b/3636\x1b\\');
    expect([sign, words?.color, words?.bold]).toEqual([2, 2, true]);
  });

  test('has only a green sign where green words are hard to read', async () => {
    const {sign, words} = await headlineAfter('\x1b]11;rgb:ffff/ffff/ffff\x1b\\');
    expect([sign, words?.color, words?.bold]).toEqual([2, undefined, true]);
  });

  test('and where nobody knows', async () => {
    const {sign, words} = await headlineAfter('');
    expect([sign, words?.color, words?.bold]).toEqual([2, undefined, true]);
  });

  test('is green where the environment says that the background is black', async () => {
    const {sign, words} = await headlineAfter('', {COLORFGBG: '15;0'});
    expect([sign, words?.color]).toEqual([2, 2]);
  });
});

test('without Unicode the signs are plain', async () => {
  const terminal = openSetup(['demo'], {env: {LANG: 'C'}});
  await goTo(terminal, 'deployment');
  expect(terminal.screen()).toContain('> Use this deployment');
  expect(terminal.raw()).not.toMatch(/[●○✔✖▲┊❯↑↓]/);
});

/** Returns the letters and digits of a screen, without diffs: a diff is coloured everywhere and has signs beside it. */
const wordsOn = (lines: readonly (readonly Cell[])[]): readonly Cell[] =>
  lines.filter(line => !/^ *[+-]/.test(textOf(line))).flatMap(line => line.filter(isOfWord));

const textOf = (line: readonly Cell[]) => line.map(({text}) => text).join('');

const isOfWord = ({text}: Cell) => /[\p{L}\p{N}]/u.test(text);

test.each(['deployment', 'sign-in', 'assistants', 'review', 'done'] as const satisfies readonly ScreenName[])(
  'words are legible on every background: %s',
  async name => {
    const terminal = openSetup(['demo'], {rows: 40});
    await goTo(terminal, name);
    const words = wordsOn(screenCells(terminal.emulator));
    expect(words.length).toBeGreaterThan(50);
    for (const {back, text, colors} of backgrounds) {
      // The minimum cannot exceed the contrast of the theme itself.
      const least = Math.min(4.5, contrast(text, back));
      const poor = words.filter(({style: {color, dim}}) => {
        const drawn = color === undefined ? text : (colors[color % 8] ?? text);
        return dim || contrast(drawn, back) < least;
      });
      expect(poor.map(cell => cell.text).join('')).toBe('');
    }
  },
);

/** The parameters of Select Graphic Rendition that set a colour (ECMA-48 8.3.117, and the bright ones of aixterm). */
const coloursIn = (raw: string): readonly number[] =>
  [...raw.matchAll(/\x1b\[([\d;:]*)m/g)]
    .flatMap(([, parameters = '']) => parameters.split(/[;:]/).map(Number))
    .filter(code => (code >= 30 && code <= 49) || (code >= 90 && code <= 107));
