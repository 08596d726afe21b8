import {expect, test} from 'vitest';
import {type Cell, screenCells} from '../../support/terminal/terminal-runs.ts';
import {goTo, openSetup, type ScreenName} from '../support/wizard.ts';

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

test('without Unicode the signs are plain', async () => {
  const terminal = openSetup(['demo'], {env: {LANG: 'C'}});
  await goTo(terminal, 'deployment');
  expect(terminal.screen()).toContain('> Use this deployment');
  expect(terminal.raw()).not.toMatch(/[●○✔✖▲┊❯↑↓]/);
});

/** Backgrounds that people have, with the text's own colour on them, and the first eight colours of their palettes. */
const xtermColors = ['#000000', '#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#e5e5e5'];
const solarized = ['#073642', '#dc322f', '#859900', '#b58900', '#268bd2', '#d33682', '#2aa198', '#eee8d5'];
const backgrounds = [
  {name: 'white', back: '#ffffff', text: '#000000', colors: xtermColors},
  {name: 'black', back: '#000000', text: '#e5e5e5', colors: xtermColors},
  {name: 'Solarized light', back: '#fdf6e3', text: '#657b83', colors: solarized},
  {name: 'Solarized dark', back: '#002b36', text: '#839496', colors: solarized},
] as const;

/** Relative luminance (WCAG 2.2), from 0 to 1. */
const luminance = (color: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map(at => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map(part => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
};

/** The words of a screen, and not its signs. A diff has its colours from everywhere, and its signs beside them. */
const wordsOn = (lines: readonly (readonly Cell[])[]): readonly Cell[] =>
  lines.filter(line => !/^ *[+-]/.test(line.map(({text}) => text).join(''))).flatMap(line => line.filter(isOfWord));

const isOfWord = ({text}: Cell) => /[\p{L}\p{N}]/u.test(text);

test.each(['deployment', 'sign-in', 'assistants', 'review'] as const satisfies readonly ScreenName[])(
  'words are legible on every background: %s',
  async name => {
    const terminal = openSetup(['demo'], {rows: 40});
    await goTo(terminal, name);
    const words = wordsOn(screenCells(terminal.emulator));
    expect(words.length).toBeGreaterThan(50);
    for (const {back, text, colors} of backgrounds) {
      // What a theme itself has less of nobody can give it.
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
