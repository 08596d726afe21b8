import {Text} from 'ink';
import {describe, expect, test} from 'vitest';
import {useKeys} from '../../../src/screens/parts/keys.tsx';
import {Scrolled, useScroll} from '../../../src/screens/parts/scroll.tsx';
import {App} from '../../../src/screens/wizard/app.tsx';
import {render} from '../../support/render.tsx';
import {readToEnd} from '../../support/scrolled.ts';
import {standing} from '../../support/standing-wizard.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {screens} from '../screens.ts';

const sizes = [
  {columns: 40, rows: 12},
  {columns: 40, rows: 20},
  {columns: 80, rows: 12},
  {columns: 80, rows: 24},
];

/** Fields take letters as text, so no key opens the list there. */
const typed = ['client', 'admin'];
const names = Object.keys(screens).filter(name => !typed.includes(name));

describe.each(sizes)('at $columns x $rows', size => {
  test.each(rowsOfTable(names, sizes.indexOf(size)))(
    'all keys of the screen “%s” can be read to the last',
    async name => {
      const [state] = screens[name] ?? expect.fail('There is no such screen.');
      const screen = render(<App wizard={standing(state)} send={() => {}} now={() => 0} />, size);
      await screen.shows(/\? keys|keys/);
      const isScrolling = / more lines? \(space\)/.test(screen.frame());
      screen.press('?');
      await screen.shows('close');
      const read = await readToEnd(screen);
      expect(read).toMatch(/Ctrl-Z +suspend; fg in.*the shell resumes it/s);
      if (isScrolling) expect(read).toMatch(/space.* more/);
      expect(screen.frame().split('\n').length).toBeLessThan(size.rows);
      screen.press('esc');
      await expect.poll(() => screen.frame()).not.toContain('close');
    },
  );

  test('the sections of a guide can be read to their ends, and each begins at its own', async () => {
    const [state] = screens['sign-in'] ?? expect.fail('There is no such screen.');
    const screen = render(<App wizard={standing(state)} send={() => {}} now={() => 0} />, size);
    await screen.shows('continue');
    screen.press('g');
    for (let section = 1; section <= 6; section += 1) {
      await screen.shows(`(${section} of 6)`);
      await readToEnd(screen);
      expect(screen.frame().split('\n').length).toBeLessThan(size.rows);
      screen.press('\u001B[B');
    }
  });
});

const lines = Array.from({length: 20}, (_, index) => `line ${index + 1}`);

function Lines({of, others = []}: {readonly of: string; readonly others?: readonly string[]}) {
  const scroll = useScroll({of, others: others.map(key => ({keys: [key], run: () => {}})), isToBeRead: true});
  useKeys(scroll.bindings);
  return (
    <>
      <Scrolled scroll={scroll} most={6}>
        {lines.map(line => (
          <Text key={line}>
            {of} {line}.
          </Text>
        ))}
      </Scrolled>
      <Text>{scroll.isRead ? 'read' : 'unread'}</Text>
    </>
  );
}

test('what does not fit says how much is left, and by which keys it is seen', async () => {
  const {frame, press, shows} = render(<Lines of="a" />);
  await shows('15 more lines (space)');
  expect(frame()).toContain('a line 5.\n');
  press(' ');
  await shows('11 more lines (space), back (b)');
  press('\u001B[B');
  await shows('10 more lines');
  press('\u001B[A');
  await shows('11 more lines');
  press('b');
  await shows('15 more lines (space)');
  expect(frame()).toMatch(/unread$/);
  for (const _ of lines) press('\u001B[6~');
  await shows('The end, back (b)');
  await shows('a line 20.');
  await shows(/\bread$/);
});

test('keys that mean something else on a screen are not taken from it', async () => {
  const {press, shows} = render(<Lines of="a" others={[' ', 'pgdn', 'b']} />);
  await shows('15 more lines (ctrl-f)');
  press(' ');
  press('\u001B[6~');
  await shows('15 more lines');
  press('\u0006');
  await shows('11 more lines (ctrl-f), back (pgup)');
});
