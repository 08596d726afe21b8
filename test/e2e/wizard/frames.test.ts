import {expect, test} from 'vitest';
import {closedOrigin} from '../../support/server.ts';
import type {Terminal} from '../../support/terminal/terminal.ts';
import {choose, goTo, openSetup} from '../support/wizard.ts';

/** Sequences that clear the whole screen before it is drawn again, which is seen as a flicker. */
const wholeScreen = /\u001B\[[23]J|\u001Bc|\u001B\[\?1049h/;

/** One synchronised update between its two marks: what a terminal shows at once. */
const frame = /\u001B\[\?2026h([\s\S]*?)\u001B\[\?2026l/g;

const framesIn = (text: string) => [...text.matchAll(frame)].map(([, body = '']) => body);

const pressed = async (terminal: Terminal, key: string, shows: string) => {
  const before = terminal.raw().length;
  terminal.press(key);
  await terminal.waitFor(shows);
  return framesIn(terminal.raw().slice(before));
};

test.each([
  {columns: 100, rows: 30},
  {columns: 40, rows: 20},
])('nothing is cleared as a whole, at $columns × $rows', async size => {
  const terminal = openSetup(['demo'], size);
  await goTo(terminal, 'done');
  expect(framesIn(terminal.raw()).length).toBeGreaterThan(3);
  expect(terminal.raw()).not.toMatch(wholeScreen);
});

test('a key is one frame, and only what it changes is drawn', async () => {
  const terminal = openSetup(['demo']);
  await goTo(terminal, 'sign-in');
  for (const [key, shows] of [
    ['down', '❯ Use an MCP client'],
    ['up', '❯ Create an MCP client'],
    ['?', 'leave at once'],
    ['esc', '❯ Create an MCP client'],
  ] as const) {
    const frames = await pressed(terminal, key, shows);
    expect(frames, key).toHaveLength(1);
  }
  const [moved = ''] = await pressed(terminal, 'down', '❯ Use an MCP client');
  // The title is above the change, and is not sent again.
  expect(moved).not.toContain('Platform setup');
});

test('what is drawn in the place of something leaves nothing of it', async () => {
  const url = await closedOrigin();
  const flags = ['--control-plane-url', url, '--auth-url', url, '--observer-url', url];
  const terminal = openSetup(flags, {columns: 80, rows: 24});
  await terminal.waitFor('Another base domain');
  await choose(terminal, 'Diagnostics');
  expect(await terminal.waitFor('run again')).not.toContain('Another base domain');
  terminal.press('esc');
  expect(await terminal.waitFor('Another base domain')).not.toContain('run again');
});
