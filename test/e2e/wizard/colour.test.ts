import {expect, test} from 'vitest';
import {goTo, openSetup} from '../support/wizard.ts';

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

/** The parameters of Select Graphic Rendition that set a colour (ECMA-48 8.3.117, and the bright ones of aixterm). */
const coloursIn = (raw: string): readonly number[] =>
  [...raw.matchAll(/\x1b\[([\d;:]*)m/g)]
    .flatMap(([, parameters = '']) => parameters.split(/[;:]/).map(Number))
    .filter(code => (code >= 30 && code <= 49) || (code >= 90 && code <= 107));
