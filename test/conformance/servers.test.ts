import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Platform, startPlatform} from '../e2e/support/platform.ts';
import {runSetup} from '../e2e/support/run.ts';
import {clientOf} from '../support/platform.ts';
import {createSurroundings} from '../support/terminal/terminal-environment.ts';
import {notForTheSandbox} from './support/applies.ts';
import {type Forwarder, forwardTo} from './support/forwarder.ts';
import {expectPassed, listScenarios, runServerScenario} from './support/suite.ts';

const {server: scenarios} = await listScenarios();
/** The platform's servers speak the revisions with sessions. Newer scenarios need features that these servers lack. */
const ofTheirTime = scenarios.filter(({revisions}) => revisions.includes('2025-11-25'));
const applying = ofTheirTime.filter(({name}) => !(name in notForTheSandbox)).map(({name}) => name);
const servers = ['controlPlaneUrl', 'observerUrl'] as const;

let platform: Platform;
const surroundings = createSurroundings();
const forwarders = new Map<string, Forwarder>();

beforeAll(async () => {
  platform = await startPlatform();
  const {ready, flags} = platform;
  const {clientId, secret} = clientOf(ready, 'client_secret_post');
  const args = ['login', '--client-credentials', ...flags, '--client-id', clientId, '--client-secret-stdin'];
  expect(await runSetup(args, {surroundings, stdin: `${secret}\n`})).toMatchObject({code: 0});
  const {stdout: token} = await runSetup(['token'], {surroundings});
  for (const server of servers)
    forwarders.set(server, await forwardTo(new URL('/mcp', ready[server] ?? ''), token.trim()));
});
afterAll(async () => {
  for (const {close} of forwarders.values()) await close();
  await platform?.end();
  surroundings.remove();
});

const addressOf = (server: string) => forwarders.get(server)?.url ?? expect.fail(`There is no ${server}.`);

test('the suite has scenarios, and none of those that are left out is unknown to it', () => {
  expect(applying.length).toBeGreaterThanOrEqual(6);
  const known = scenarios.map(({name}) => name);
  expect(Object.keys(notForTheSandbox).filter(name => !known.includes(name))).toEqual([]);
});

describe.each(servers)('%s', server => {
  test('offers tools, and nothing that a scenario is left out for', async () => {
    const clientInfo = {name: 'conformance', version: '1'};
    const params = {protocolVersion: '2025-11-25', capabilities: {}, clientInfo};
    const reply = await fetch(addressOf(server), {
      method: 'POST',
      headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream'},
      body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'initialize', params}),
    });
    const {result} = JSON.parse((await reply.text()).replace(/^[^{]*/, ''));
    expect(result.capabilities).toHaveProperty('tools');
    for (const missing of ['prompts', 'resources', 'completions'])
      expect(result.capabilities).not.toHaveProperty(missing);
  });

  test.each(applying)('%s', async name => {
    expectPassed(await runServerScenario(name, addressOf(server)));
  });
});

for (const [name, reason] of Object.entries(notForTheSandbox)) test.skip(`${name}: ${reason}`);
