import {Box} from 'ink';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {Prose} from '../../../src/screens/parts/safe-text.tsx';
import {windowOf} from '../../../src/screens/parts/size.tsx';
import {App} from '../../../src/screens/wizard/app.tsx';
import type {WizardState} from '../../../src/state/model.ts';
import {render} from '../../support/render.tsx';
import {readToEnd} from '../../support/scrolled.ts';
import {standing} from '../../support/standing-wizard.ts';
import {at, withToolSets} from '../../support/states.ts';
import {rowsOfTable} from '../../support/tables.ts';
import {screens} from '../screens.ts';

const show = (state: WizardState, size: {columns: number; rows: number}) =>
  render(<App wizard={standing(state)} send={() => {}} now={() => 0} />, size);

/** The maximum of connected assistants, in files with long paths and long changes. */
const names = Array.from({length: 14}, (_, index) => `client-${index + 1}`);
const files = names.map(name => ({
  path: `/home/ada/.config/a-long-directory/${name}/settings-with-a-long-name.json`,
  change: 'changed' as const,
  summary: `2 entries for ${name}, by the bridge, and a remark that is long`,
  diff: Array.from({length: 60}, (_, line) => `+ ${name} line ${line}`).join('\n'),
}));
const plan = {...at.review.facts.plan, files} as unknown as NonNullable<WizardState['facts']['plan']>;
const nowhere = {installed: false, paths: {user: '/home/ada/.config/a.json'}, methods: ['bridge'] as const};
const many: Readonly<Record<string, WizardState>> = {
  assistants: {
    ...at.assistants,
    settings: {...at.assistants.settings, connect: {tools: 'run'}},
    facts: {
      ...withToolSets.facts,
      toolCosts: {run: {tools: 106, tokens: 21_791}},
      found: allAssistants.map(({id, name}) => ({
        ...{id, name, installed: true, version: '1.2.3', methods: ['bridge'] as const},
        paths: {user: `/home/ada/.config/a-long-directory/${id}/settings-with-a-long-name.json`},
      })),
    },
  },
  // In this state a note stands above the list.
  nobody: {
    ...at.assistants,
    facts: {...at.assistants.facts, found: allAssistants.map(one => ({...nowhere, id: one.id, name: one.name}))},
  },
  review: {...at.review, facts: {...at.review.facts, plan}},
  done: {
    ...at.done,
    facts: {
      ...at.done.facts,
      plan,
      verified: names.slice(0, 6).flatMap(name =>
        (['control-plane', 'observability'] as const).map(server => ({
          ...{assistant: name, server, name: server, path: `/home/ada/${name}.json`, tools: 25, tokens: 6083},
        })),
      ),
    },
  },
};

const sizes = [
  [40, 12],
  [40, 24],
  [60, 20],
  [80, 24],
  [100, 30],
  [120, 40],
  [200, 60],
] as const;

describe.each(rowsOfTable(sizes))('at %d x %d', (columns, rows) => {
  // A frame as high as the terminal cannot be updated in place: each key would redraw all of it.
  test.each(['assistants', 'nobody', 'review'])(
    '%s with all that there is stays lower than the terminal',
    async step => {
      const {frame, press, shows} = show(many[step] as WizardState, {columns, rows});
      await shows(/write|continue/);
      const heights: number[] = [];
      for (let turn = 0; turn < names.length; turn += 1) {
        const before = frame();
        heights.push(before.split('\n').length);
        press('down');
        await expect.poll(frame).not.toBe(before);
      }
      expect(Math.max(...heights)).toBeLessThan(rows);
    },
  );

  test('the last screen leads to everything that it has to say', async () => {
    const screen = show(many.done as WizardState, {columns, rows});
    await screen.shows('leave');
    expect(screen.frame().split('\n').length).toBeLessThan(rows);
    const read = (await readToEnd(screen)).replaceAll(/\s+/g, '');
    for (const name of names.slice(0, 6)) expect(read).toContain(name);
    for (const {path} of files.slice(0, 3)) expect(read).toContain(`${path.replace('/home/ada', '')},changed`);
    expect(read).toContain('setupundo');
  });
});

test('of many calls the last are shown, with keys to the earlier ones and one that prints them all', async () => {
  const curl = `curl -H 'accept: application/json' ${'http://api.acme.localhost:8080/a-long-address'.repeat(3)}`;
  const calls = Array.from({length: 20}, (_, index) => ({
    ...{call: index + 1, step: 'check', method: 'GET', url: 'http://api.acme.localhost:8080/'},
    answer: {result: '200', failed: false, ms: index, curl: `${curl}-${index + 1}`},
  }));
  const {frame, press, shows} = show({...at.deployment, calls} as unknown as WizardState, {columns: 80, rows: 24});
  await shows('Use this deployment');
  press('e');
  await shows('of 20');
  const [, from = 0, to = 0] = (/Calls (\d+) to (\d+) of 20/.exec(frame()) ?? []).map(Number);
  expect(to).toBe(20);
  expect(frame().split('\n').length).toBeLessThan(24);
  press('up');
  await shows(`to ${from - 1} of 20`);
  press('down');
  await shows('to 20 of 20');
});

test.each([
  [16, true],
  [15, false],
])('a question with fields in %i rows has its rail: %s', async (rows, hasRail) => {
  const {frame, shows} = show(at.client, {columns: 40, rows});
  await shows('enter continue');
  expect(frame().includes('Platform setup')).toBe(hasRail);
  expect(frame().split('\n').length).toBeLessThan(rows);
});

describe('home', () => {
  const [home] = screens.home as readonly [WizardState, RegExp];

  test('has its rail where leaving out the gaps has left a row for it', async () => {
    const {frame, shows} = show(home, {columns: 64, rows: 16});
    await shows('enter continue');
    expect(frame()).toContain('Platform setup');
    expect(frame().split('\n').length).toBeLessThan(16);
  });

  test('has addresses below their names in a narrow terminal, and cuts their middle where rows are few', async () => {
    const {controlPlaneUrl = ''} = home.settings.saved ?? {};
    const tall = show(home, {columns: 40, rows: 30});
    await tall.shows('enter continue');
    expect(tall.frame()).toContain(`  Control plane\n    ${controlPlaneUrl}`);
    const low = show(home, {columns: 40, rows: 16});
    await low.shows('enter continue');
    expect(low.frame()).toMatch(/Control plane +http.*….*\d/);
  });
});

describe('a window on a list', () => {
  test.each([
    [3, 0, 5, {top: 0, shown: 3, above: 0, below: 0}],
    [9, 0, 5, {top: 0, shown: 4, above: 0, below: 5}],
    [9, 8, 5, {top: 5, shown: 4, above: 5, below: 0}],
    [9, 4, 5, {top: 2, shown: 4, above: 2, below: 3}],
    [9, 4, 0, {top: 4, shown: 1, above: 4, below: 4}],
  ])('%d lines, at %d, in %d rows', (count, place, room, expected) => {
    expect(windowOf(count, place, room)).toEqual(expected);
  });
});

test('a sentence that fills a line begins the next with its word', async () => {
  const {frame} = render(
    <Box width={10} flexDirection="column">
      <Prose dimColor>one two 10 three</Prose>
      <Prose>{'  kept as it is'}</Prose>
    </Box>,
  );
  await expect.poll(frame).toBe(['one two 10', 'three', '  kept as', 'it is'].join('\n'));
});
