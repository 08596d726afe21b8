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

/** A screen of the demonstration, and the key that led to it; no key for the screen as it first appears. */
type Position = ScreenName | `${ScreenName} ${'down' | 'up' | '?' | 'esc'}`;

/** Waits until the terminal shows a position; `isThere` resolves once that position is on the screen. */
type Arrive = (terminal: Terminal, position: Position, isThere: () => Promise<unknown>) => Promise<void>;

/** Walks through the demonstration, with keys that redraw each screen in part and as a whole. */
const walkThrough = async (way: keyof typeof between, size: {columns: number; rows: number}, arrive: Arrive) => {
  const terminal = await openThrough(way, ['demo'], size);
  for (const name of screenNames) {
    await arrive(terminal, name, () => reaches(terminal, name));
    if (name === 'done') break;
    for (const key of ['down', 'up'] as const) await press(terminal, key, `${name} ${key}`, arrive);
    terminal.press('?');
    await arrive(terminal, `${name} ?`, () => terminal.waitFor(/Keys/));
    terminal.press('esc');
    await arrive(terminal, `${name} esc`, () => reaches(terminal, name));
    terminal.press('enter');
  }
  terminal.press('enter');
  await terminal.exit;
};

const press = async (terminal: Terminal, key: 'down' | 'up', position: Position, arrive: Arrive) => {
  const before = terminal.screen();
  terminal.press(key);
  await arrive(terminal, position, () =>
    terminal.until('Another screen', () => (terminal.screen() === before ? undefined : true)),
  );
};

/** Returns every screen of the demonstration as the terminal itself shows it. */
const screensAlone = async (size: {columns: number; rows: number}) => {
  const seen = new Map<Position, string>();
  await walkThrough('nothing', size, async (terminal, position, isThere) => {
    await isThere();
    seen.set(position, withoutChance(terminal.screen()));
  });
  return seen;
};

describe.each(ways)('%s', way => {
  const missing = missingOf(...between[way].needs);

  test.skipIf(missing.length > 0)(
    `shows what the terminal itself shows${missing.length > 0 ? ` (not here: ${missing.join(', ')})` : ''}`,
    async () => {
      const size = {columns: 100, rows: 40};
      const wanted = await screensAlone(size);
      await walkThrough(way, size, async (terminal, position) => {
        // Not every program between passes on the marks of a synchronised update: it may show a frame half drawn, and
        // the next key has to wait for the rest.
        const isWhole = () => withoutChance(terminal.screen()) === wanted.get(position);
        await terminal.until(position, () => (isWhole() ? true : undefined)).catch(() => undefined);
        expect(withoutChance(terminal.screen()), position).toBe(wanted.get(position));
      });
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
