import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {onUnix} from '../../support/systems/on-unix.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {startSetup} from '../support/run.ts';
import {addressFrom, signInAndReturn} from '../support/sign-in/sign-in.ts';
import {choose, openSetup, reaches} from '../support/wizard.ts';

/** Sets up a machine with two connected assistants. The file of one of them is unreadable now. */
const broken = async () => {
  const machine = await connected(await platformForTest());
  expect(await machine.run('mcp', 'connect', 'cursor', '--yes')).toMatchObject({code: 0});
  const path = join(machine.surroundings.home, '.cursor', 'mcp.json');
  const text = `${readFileSync(path, 'utf8')} {`;
  writeFileSync(path, text);
  return {...machine, text: () => readFileSync(path, 'utf8'), before: text};
};

test.each([100, 40])(
  'a check of what is connected goes on without a file that does not read, %i columns',
  async columns => {
    const {surroundings, text, before} = await broken();
    const terminal = openSetup([], {env: surroundings.env, columns, rows: 40});
    await choose(terminal, 'Check and renew');
    await reaches(terminal, 'done');
    const said = terminal.screen().replaceAll(/\s+/g, ' ');
    expect(said).toContain('The platform answers, but at least one assistant’s file cannot be changed.');
    expect(said).toMatch(
      /json is not valid JSON \(line \d+\)\. Cursor was left out\. Fix the file, or make it writable, then run: .*mcp connect cursor/,
    );
    expect(text()).toBe(before);
  },
);

test('a sign-in renews every other entry, and says which file does not read', async () => {
  const {surroundings, text, before, authorizations, store} = await broken();
  const [first] = authorizations();
  const login = startSetup(['login', '--no-browser'], {surroundings});
  await signInAndReturn(await addressFrom(login));
  const {code, stdout} = await login.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(/Cursor was left out\. Fix the file, or make it writable, then run: .*mcp connect cursor/);
  expect(authorizations()).toEqual([`Bearer ${store.only().accessToken}`, `Bearer ${store.only().accessToken}`]);
  expect(authorizations()[0]).not.toBe(first);
  expect(text()).toBe(before);
});

test('who unticks that assistant can go on without it', async () => {
  const {surroundings, project, text, before: unchanged} = await broken();
  const terminal = openSetup(['--project', project], {env: surroundings.env, columns: 100, rows: 40});
  await choose(terminal, 'Connect assistants');
  await reaches(terminal, 'assistants');
  const pointed = () => /❯ (.*)/.exec(terminal.screen())?.[1] ?? '';
  for (let before = pointed(); !before.includes('Cursor'); before = pointed()) {
    terminal.press('down');
    await terminal.until('The next assistant', () => (pointed() === before ? undefined : true));
  }
  const ticked = pointed();
  terminal.press(' ');
  await terminal.until('It is not ticked any more', () => (pointed() === ticked ? undefined : true));
  terminal.press('enter');
  await choose(terminal, 'Go on without Cursor');
  await terminal.waitFor('No file has to change');
  terminal.press('enter');
  await reaches(terminal, 'done');
  expect(text()).toBe(unchanged);
});

onUnix('a sign-in puts no entry back into a file that somebody has emptied and locked', async () => {
  const {surroundings, run} = await connected(await platformForTest());
  expect(await run('mcp', 'connect', 'cursor', '--yes')).toMatchObject({code: 0});
  const path = join(surroundings.home, '.cursor', 'mcp.json');
  writeFileSync(path, '{}\n');
  chmodSync(path, 0o444);
  const login = startSetup(['login', '--no-browser'], {surroundings});
  await signInAndReturn(await addressFrom(login));
  const {code, stdout} = await login.ended;
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /is read-only \(mode 444\)\. Cursor was left out\. Fix the file, or make it writable, then run: /,
  );
  expect(readFileSync(path, 'utf8')).toBe('{}\n');
});
