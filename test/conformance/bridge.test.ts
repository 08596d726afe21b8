import {expect, test} from 'vitest';
import {notForTheBridge} from './support/applies.ts';
import {expectPassed, listScenarios, runClientScenario} from './support/suite.ts';

const {client: scenarios} = await listScenarios();
const applying = scenarios.filter(({name}) => !(name in notForTheBridge));

test('the suite has scenarios, and none of those that are left out is unknown to it', () => {
  expect(applying.length).toBeGreaterThanOrEqual(11);
  const known = scenarios.map(({name}) => name);
  expect(Object.keys(notForTheBridge).filter(name => !known.includes(name))).toEqual([]);
});

const runs = applying.flatMap(({name, revisions}) => revisions.map((revision): [string, string] => [name, revision]));

test.each(runs)('%s, through the bridge, in %s', async (name, revision) => {
  expectPassed(await runClientScenario(name, revision));
});

/** The scenarios that call no tool: the tools of the others do not read by their names. */
const listing = ['initialize', 'request-metadata', 'json-schema-ref-no-deref'];

test.each(runs.filter(([name]) => listing.includes(name)))(
  '%s, through a bridge that may only look, in %s',
  async (name, revision) => {
    expectPassed(await runClientScenario(name, revision, 'look'));
  },
);

for (const [name, reason] of Object.entries(notForTheBridge)) test.skip(`${name}: ${reason}`);
