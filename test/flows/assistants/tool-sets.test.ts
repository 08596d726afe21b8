import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Method} from '../../../src/domain/context.ts';
import type {ToolLimit, ToolPreset} from '../../../src/domain/tool-sets.ts';
import {inspectEntries} from '../../../src/flows/assistants/inspect-entries.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {foreignKeysIn} from '../../../src/flows/assistants/verify-entries.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {collect} from '../../support/flows.ts';
import {entries, entriesWithSets, machine} from './support/machine.ts';

const all = 'http://api.acme.localhost:8080/mcp';
const some = {
  build: `${all}?toolsets=namespace,project,component,deployment,build,resource`,
  run: `${all}?toolsets=namespace,project,deployment,pe`,
};

/** Sets up a machine at a platform with tool sets, and a function that connects Cursor to some of them. */
const scene = async () => {
  const {input, ports, home, saved, put} = await machine();
  const path = join(home, '.cursor', 'mcp.json');
  const inputFor = (method: Method, tools?: ToolLimit) => {
    const {targets, ...rest} = input([['cursor', 'user', method]]);
    return {...rest, entries: entriesWithSets, targets: targets.map(one => ({...one, ...(tools ? {tools} : {})}))};
  };
  const plan = async (method: Method, tools?: ToolLimit) =>
    (await collect(planFiles, inputFor(method, tools), ports)).result;
  const connect = async (method: Method, tools?: ToolLimit) => {
    const planned = await plan(method, tools);
    await collect(writeFiles, {plan: planned, context: 'acme'}, ports);
    return planned;
  };
  const written = async () => JSON.parse(await readFile(path, 'utf8')).mcpServers;
  const standing = async () =>
    (await inspectEntries(await saved(), allAssistants, ports)).map(({name, tools}) => [name, tools]);
  return {path, plan, connect, written, standing, saved, ports, put, inputFor, home};
};

describe('an entry of some tools', () => {
  test('says so to the server or to the bridge, is known with it, and the observer’s stays as it is', async () => {
    const {connect, written, saved, standing} = await scene();
    await connect('header', 'build');
    expect(await written()).toMatchObject({
      'acme-control-plane': {url: some.build},
      'acme-observability': {url: entries[1].url},
    });
    expect((await saved()).entries).toMatchObject([{assistant: 'cursor', method: 'header', tools: 'build'}]);
    expect(await standing()).toEqual([
      ['acme-control-plane', 'build'],
      ['acme-observability', undefined],
    ]);
    await connect('bridge', 'run');
    const {args} = (await written())['acme-control-plane'];
    expect(args.slice(args.indexOf('--tools'))).toEqual(['--tools', 'run', '--setup-home', expect.any(String)]);
    expect((await standing())[0]).toEqual(['acme-control-plane', 'run']);
  });

  test('is recorded as limited to looking only if it starts the bridge, which alone can limit it', async () => {
    const {connect, saved} = await scene();
    await connect('bridge', 'look');
    expect((await saved()).entries?.[0]).toMatchObject({tools: 'look'});
    await connect('header', 'look');
    expect((await saved()).entries?.[0]).not.toHaveProperty('tools');
  });

  test('is ours to whichever tools it leads: it is rewritten without a question, and kept where nothing changes', async () => {
    const {connect, plan, written, saved, path} = await scene();
    await connect('header');
    const change = async (tools?: ToolPreset) => (await plan('header', tools)).files[0]?.change;
    expect(await change()).toBe('unchanged');
    await connect('header', 'run');
    expect((await written())['acme-control-plane'].url).toBe(some.run);
    expect(await change('run')).toBe('unchanged');
    await connect('header');
    expect((await written())['acme-control-plane'].url).toBe(all);
    expect((await saved()).entries?.[0]).not.toHaveProperty('tools');
    // Tool sets that a person wrote by hand belong to the person.
    const ours = await readFile(path, 'utf8');
    await writeFile(path, ours.replace(all, `${all}?toolsets=infrastructure`));
    await expect(plan('header', 'run')).rejects.toMatchObject({code: 'local-entry-exists'});
    await writeFile(path, ours);
    // An entry with another address belongs to somebody else, even with tool sets in it.
    await writeFile(path, (await readFile(path, 'utf8')).replace(all, 'http://other.example/mcp?toolsets=pe'));
    await expect(plan('header', 'run')).rejects.toMatchObject({code: 'local-entry-exists'});
  });

  test('is not what this program writes where its sets are of no choice', async () => {
    const {inputFor} = await scene();
    const {targets, ...means} = inputFor('oauth');
    const readers = targets.map(({assistant}) => assistant);
    const foreign = (url: string) => {
      const entry = {url, auth: {CLIENT_ID: 'x'}};
      const connection = {kind: 'oauth', url, clientId: 'x'} as const;
      return foreignKeysIn({entry, connection, scope: 'user', readers}, entriesWithSets[0], means);
    };
    expect([all, some.build, some.run].map(foreign)).toEqual([[], [], []]);
    expect(foreign(`${all}?toolsets=infrastructure`)).toEqual(['url']);
  });
});

test('what an organisation allows is held against the very address', async () => {
  const {put, ports, inputFor, home} = await scene();
  const urls = [...entries.map(({url}) => url), some.build];
  const rules = await put(
    '.claude/settings.json',
    JSON.stringify({allowedMcpServers: urls.map(serverUrl => ({serverUrl}))}),
  );
  const claude = allAssistants.filter(({id}) => id === 'claude-code');
  const plan = (tools?: ToolPreset) => {
    const input = inputFor('header', tools);
    const targets = input.targets.map(one => ({...one, assistant: claude[0] ?? one.assistant}));
    return collect(planFiles, {...input, targets}, ports);
  };
  expect((await plan()).result.files).toHaveLength(1);
  expect((await plan('build')).result.files).toHaveLength(1);
  await expect(plan('run')).rejects.toMatchObject({
    code: 'local-entry-blocked',
    message: expect.stringContaining(rules),
    about: {path: join(home, '.claude.json')},
  });
});
