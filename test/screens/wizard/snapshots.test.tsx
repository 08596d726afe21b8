import {expect, test} from 'vitest';
import {App} from '../../../src/screens/wizard/app.tsx';
import {render} from '../../support/render.tsx';
import {standing} from '../../support/standing-wizard.ts';
import {screens} from '../screens.ts';

const sizes = [
  {columns: 40, rows: 12},
  {columns: 80, rows: 24},
  {columns: 100, rows: 30},
] as const;

/** Draws a screen under its name, between two lines as wide as the terminal. */
const drawn = async (name: string, size: (typeof sizes)[number]): Promise<string> => {
  const [state] = screens[name] ?? expect.fail('There is no such screen.');
  const {frame, shows} = render(<App wizard={standing(state)} send={() => {}} now={() => 0} />, size);
  await shows(/\S/);
  // Text printed above the frame is not a part of it.
  const [printed = '', text = printed] = frame().split(/\u001B\[\?7l/);
  expect(text.split('\n').length, name).toBeLessThanOrEqual(size.rows);
  const edge = '─'.repeat(size.columns);
  return `${name}\n${edge}\n${text}\n${edge}\n`;
};

// The look of every screen. A change is a change of these files, which has to be reviewed.
test.each(sizes)('every screen at $columns x $rows', async size => {
  const texts: string[] = [];
  for (const name of Object.keys(screens)) texts.push(await drawn(name, size));
  await expect(texts.join('\n')).toMatchFileSnapshot(`snapshots/${size.columns}x${size.rows}.txt`);
});

// A key line that is cut says nothing of its rest: `?`, which lists all keys, comes last.
// While one types, `?` is a character.
test.each([
  {columns: 60, rows: 20},
  {columns: 60, rows: 24},
])('every screen names the key for help, at $columns x $rows', async size => {
  const call = {call: 1, step: 'find-deployment', method: 'GET', url: 'https://api.acme.example/version'} as const;
  for (const [name, [state]] of Object.entries(screens)) {
    const wizard = standing({...state, calls: [call]});
    const {frame, shows} = render(<App wizard={wizard} send={() => {}} now={() => 0} />, size);
    await shows(/\S/);
    if (/ choose\b/.test(frame())) expect(frame(), name).toMatch(/\? keys/);
  }
});
