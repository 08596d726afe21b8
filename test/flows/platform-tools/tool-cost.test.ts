import {expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import {toolCost} from '../../../src/flows/platform-tools/list-tools.ts';
import {runningSandbox, serviceToken} from '../../sandbox/support.ts';
import {collect} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';

const {ready} = await runningSandbox({release: '1.2'});
const url = `${ready.controlPlaneUrl}/mcp`;
const toolSets = {build: ['namespace', 'project', 'component', 'deployment'], run: ['pe']};
const entry = {server: 'control-plane', label: 'acme', url, toolSets} as const;

const costs = async (tools: 'build' | 'run', token: string) => {
  const tokens = {signIn: new Secret(token)};
  return (await collect(toolCost, {entry, tools, tokens}, await temporaryPorts())).result;
};

test('a preset takes what the server lists for it', async () => {
  const token = await serviceToken(ready);
  expect(await costs('run', token)).toEqual({tools: 2, tokens: expect.any(Number)});
  expect(await costs('build', token)).toMatchObject({tools: 10});
});

test('a preset of which the server does not tell is nobody’s failure, and who leaves is let go', async () => {
  expect(await costs('run', 'no.token.at-all')).toBeUndefined();
  const tokens = {signIn: new Secret('x')};
  await expect(
    collect(toolCost, {entry, tools: 'run', tokens}, await temporaryPorts(), AbortSignal.abort()),
  ).rejects.toMatchObject({code: 'cancelled'});
});
