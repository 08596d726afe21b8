import {describe, expect, test} from 'vitest';
import {goTo, reaches, type ScreenName, screenNames} from '../e2e/support/wizard.ts';
import {missingOf} from '../support/terminal/programs.ts';
import type {Terminal} from '../support/terminal/terminal.ts';
import {between, openThrough} from './support/between.ts';

const ways = (Object.keys(between) as (keyof typeof between)[]).filter(way => way !== 'nothing');

/** Replaces what differs from run to run: ports, times, and names of temporary directories. */
const withoutChance = (screen: string) =>
  screen
    .split('\n')
    .map(line =>
      line
        .replaceAll(/setup-(test|demo)-\w+/g, 'setup-$1')
        .replaceAll(/ +\d+ ms/g, ' 0 ms')
        .replaceAll(/\d{2,}/g, '0')
        .trimEnd(),
    )
    .join('\n')
    .trim();

/** Returns every screen of the demonstration, after keys that redraw it in part and as a whole. */
const screensThrough = async (way: keyof typeof between, size: {columns: number; rows: number}) => {
  const terminal = await openThrough(way, ['demo'], size);
  const seen: Partial<Record<ScreenName, string>> = {};
  for (const name of screenNames) {
    await reaches(terminal, name);
    if (name !== 'done') {
      await press(terminal, 'down');
      await press(terminal, 'up');
      terminal.press('?');
      await terminal.waitFor(/Keys/);
      terminal.press('esc');
      await reaches(terminal, name);
    }
    seen[name] = withoutChance(terminal.screen());
    terminal.press('enter');
  }
  return {terminal, seen};
};

const press = async (terminal: Terminal, key: string) => {
  const before = terminal.screen();
  terminal.press(key);
  await terminal.until('Another screen', () => (terminal.screen() === before ? undefined : true));
};

describe.each(ways)('%s', way => {
  const missing = missingOf(...between[way].needs);

  test.skipIf(missing.length > 0)(
    `shows what the terminal itself shows${missing.length > 0 ? ` (not here: ${missing.join(', ')})` : ''}`,
    async () => {
      const size = {columns: 100, rows: 40};
      const {seen: wanted} = await screensThrough('nothing', size);
      const {seen} = await screensThrough(way, size);
      expect(seen).toEqual(wanted);
    },
  );

  test.skipIf(missing.length > 0)('is drawn again in another size, once', async () => {
    const terminal = await openThrough(way, ['demo'], {columns: 100, rows: 40});
    await goTo(terminal, 'sign-in');
    terminal.resize(60, 30);
    terminal.resize(72, 34);
    await terminal.until('The screen of that width', () => {
      const lines = terminal.screen().split('\n');
      return lines.every(line => line.length <= 72) && terminal.screen().includes('Sign in') ? true : undefined;
    });
    await reaches(terminal, 'sign-in');
    const titles = terminal.screen().split('Platform setup, demonstration').length - 1;
    expect(titles).toBe(1);
    terminal.press('ctrl-c');
    await terminal.exit;
  });
});
