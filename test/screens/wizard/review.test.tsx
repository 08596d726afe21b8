import {describe, expect, test} from 'vitest';
import {App} from '../../../src/screens/wizard/app.tsx';
import type {WizardState} from '../../../src/state/model.ts';
import {render} from '../../support/render.tsx';
import {standing} from '../../support/standing-wizard.ts';
import {at} from '../../support/states.ts';

const files = [
  ['/home/ann/.config/github-copilot/intellij/mcp.json', '2 entries for GitHub Copilot for JetBrains, by the bridge'],
  ['/home/ann/.claude.json', '2 entries for Claude Code, by the helper'],
  ['/home/ann/.config/platform-setup/config.json', 'addresses, no secrets'],
  ['/home/ann/.config/platform-setup/credentials.json', 'your sign-in, readable by you only'],
].map(([path = '', summary = '']) => ({path, change: 'changed' as const, summary, diff: '+ one\n+ two', before: null}));

const state: WizardState = {...at.review, facts: {...at.review.facts, plan: {files, entries: []}}};

const sizes = [
  {columns: 40, rows: 12},
  {columns: 40, rows: 20},
  {columns: 60, rows: 20},
  {columns: 80, rows: 24},
  {columns: 100, rows: 30},
];

const show = (size: {columns: number; rows: number}) =>
  render(<App wizard={standing(state)} send={() => {}} now={() => 0} />, size);

/** Returns the text without line breaks. */
const joined = (text: string) => text.replaceAll(/\s+/g, '');

describe.each(sizes)('the review at $columns x $rows', size => {
  test('says of the chosen file where it is and what happens to it, without a cut', async () => {
    const {frame, press, shows} = show(size);
    await shows('enter write');
    for (const {path, change, summary} of files) {
      const shown = path.replace('/home/ann', '~');
      await expect.poll(() => joined(frame())).toContain(joined(`❯ ${shown}${change}: ${summary}`));
      expect(frame().split('\n').length).toBeLessThan(size.rows);
      press('down');
    }
  });
});

test.each([
  {columns: 60, rows: 30},
  {columns: 80, rows: 24},
  {columns: 100, rows: 30},
])('where there is room it says so of every file, at $columns x $rows', async size => {
  const {frame, shows} = show(size);
  await shows('enter write');
  for (const {path, change, summary} of files)
    expect(joined(frame())).toContain(joined(`${path.replace('/home/ann', '~')}${change}: ${summary}`));
});

test('a long diff says how much is left, and which keys lead there and back', async () => {
  const diff = Array.from({length: 60}, (_, line) => `+ line ${line}.`).join('\n');
  const long = {...state, facts: {...state.facts, plan: {files: files.map(file => ({...file, diff})), entries: []}}};
  const {press, shows} = render(<App wizard={standing(long)} send={() => {}} now={() => 0} />, {columns: 80, rows: 24});
  await shows(/\d+ more lines \(space\)/);
  press(' ');
  await shows(/\d+ more lines \(space\), back \(b\)/);
  for (let page = 0; page < 20; page += 1) press(' ');
  await shows('The end, back (b)');
  await shows('+ line 59.');
  for (let page = 0; page < 20; page += 1) press('b');
  await shows('+ line 0.');
});

test.each([
  {columns: 40, rows: 20},
  {columns: 60, rows: 20},
  {columns: 80, rows: 24},
])('warnings that fill the screen hide no line of the diff from the space key, at $columns x $rows', async size => {
  const diff = Array.from({length: 30}, (_, line) => `+ line ${line}.`).join('\n');
  const warnings = ['claude', 'cursor', 'vscode', 'gemini'].map(
    name =>
      `/home/ann/shop/.${name}/mcp.json is in a git repository, and its entries name files on this machine. ${'They do not work on another one. '.repeat(4)}`,
  );
  const long = {
    ...state,
    warnings: warnings.map(message => ({step: 'plan' as const, message})),
    facts: {...state.facts, plan: {files: files.map(file => ({...file, diff})), entries: []}},
  };
  const {frame, press, shows} = render(<App wizard={standing(long)} send={() => {}} now={() => 0} />, size);
  await shows(/\d+ more lines/);
  const seen: string[] = [];
  for (let page = 0; page < 40 && !frame().includes('The end'); page += 1) {
    const before = frame();
    seen.push(before);
    press(' ');
    await expect.poll(() => frame() !== before).toBe(true);
  }
  seen.push(frame());
  for (let line = 0; line < 30; line += 1) expect(seen.join('\n')).toContain(`+ line ${line}.`);
  // Another file begins where its name can be seen.
  press('down');
  await shows('❯ ~/.claude.json');
});

test.each([
  ['tabs', '\t\t"command": "/opt/platform setup/node_modules/node/bin/node",'],
  [
    'characters of two columns',
    '  "title": "設定ファイルの内容がすべて画面に表示されることを確かめるための長い文章です",',
  ],
])('a line with %s is cut into rows that show all of it', async (_what, text) => {
  const shown = {
    ...state,
    facts: {...state.facts, plan: {files: [{...files[0], diff: `+${text}`}] as never, entries: []}},
  };
  const {frame, shows} = render(<App wizard={standing(shown)} send={() => {}} now={() => 0} />, {
    columns: 40,
    rows: 30,
  });
  await shows('enter write');
  const rows = frame()
    .split('\n')
    .flatMap(line => /^ {2}\+(.*)$/.exec(line)?.[1] ?? []);
  expect(rows.length).toBeGreaterThan(1);
  expect(joined(rows.join(''))).toBe(joined(text));
});
