import {readFile, writeFile} from 'node:fs/promises';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Method, Scope} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {planDisconnections} from '../../../src/flows/assistants/plan-disconnections.ts';
import {machine} from './support/machine.ts';

type Chosen = readonly (readonly [string, Scope, Method])[];

/** Sets up a machine with these assistants connected, and a function that plans what to take out of their files. */
const connected = async (text: string | undefined, ...chosen: Chosen) => {
  const at = await machine();
  if (text !== undefined) await at.put('.cursor/mcp.json', text);
  await at.connect(...chosen);
  const disconnecting = ((await at.saved()).entries ?? []).flatMap(entry => {
    const assistant = allAssistants.find(({id}) => id === entry.assistant);
    return assistant ? [{assistant, entry}] : [];
  });
  const path = disconnecting[0]?.entry.path ?? '';
  const plan = (staying: readonly string[] = []) =>
    at.ports.config
      .read()
      .then(({contexts}) => planDisconnections({disconnecting, staying, contexts}, at.ports))
      .then(({files}) => files);
  return {...at, disconnecting, path, plan};
};

const theirs = '{"mcpServers": {"other": {"token": "canary"}}}';

describe('a file from which entries are taken', () => {
  test('keeps everything else, and shows none of it', async () => {
    const {plan, path, token} = await connected(theirs, ['cursor', 'user', 'header']);
    const [file, ...others] = await plan();
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      path,
      change: 'changed',
      summary: 'removes 2 entries of Cursor',
      write: {after: new Secret(theirs), tighten: true},
    });
    const bytes = await readFile(path);
    expect(file?.write?.tokens.before.map(({start, end}) => bytes.toString('utf8', start, end))).toEqual([
      token,
      token,
    ]);
    expect(file?.diff).toMatch(/^-.*acme-control-plane/m);
    expect(file?.diff).not.toMatch(/canary/);
    expect(file?.diff).not.toContain(token);
  });

  test('keeps its permissions where no token was in it', async () => {
    const {plan} = await connected(theirs, ['cursor', 'user', 'bridge']);
    expect(await plan()).toMatchObject([{change: 'changed', write: {tighten: false, tokens: {before: [], after: []}}}]);
  });

  test('goes where it was made for them, unless somebody has written into it since', async () => {
    const {plan, path} = await connected(undefined, ['cursor', 'user', 'bridge']);
    const [file] = await plan();
    expect(file).toMatchObject({change: 'removed', write: {after: null}});
    expect(file?.diff).not.toMatch(/^\+/m);
    const changed = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify({...changed, mine: true}));
    expect(await plan()).toMatchObject([{change: 'changed'}]);
  });

  test('goes where it was there before and was empty, which counts as none', async () => {
    const {plan} = await connected('', ['cursor', 'user', 'bridge']);
    expect(await plan()).toMatchObject([{change: 'removed', write: {after: null}}]);
  });

  test('goes too where nobody knows who made it, and nothing else is in it', async () => {
    const {plan, ports} = await connected(undefined, ['cursor', 'user', 'bridge']);
    await ports.config.saveEntries('acme', known => known.map(({created: _, ...entry}) => entry));
    expect(await plan()).toMatchObject([{change: 'removed', write: {after: null}}]);
  });

  test('is one for all who read it', async () => {
    const {plan} = await connected(
      undefined,
      ['claude-code', 'project', 'bridge'],
      ['copilot-cli', 'project', 'bridge'],
    );
    expect((await plan()).map(({summary}) => summary)).toEqual([
      'removes 2 entries of Claude Code, GitHub Copilot CLI',
    ]);
  });

  test.each([
    ['somebody else reads it', async () => {}, true],
    ['the entries are gone already', (path: string) => writeFile(path, theirs), false],
  ])('is left alone where %s', async (_why, change, stays) => {
    const {plan, path} = await connected(theirs, ['cursor', 'user', 'bridge']);
    await change(path);
    expect(await plan(stays ? [path] : [])).toEqual([]);
  });

  test('is none where it is gone', async () => {
    const {plan, ports, path} = await connected(theirs, ['cursor', 'user', 'bridge']);
    await ports.files.remove(path);
    expect(await plan()).toEqual([]);
  });
});

test('a file that cannot be edited is told before, unless it is left alone', async () => {
  const {plan, path} = await connected(theirs, ['cursor', 'user', 'bridge']);
  await writeFile(path, '{');
  await expect(plan()).rejects.toMatchObject({code: 'local-file-invalid'});
  expect(await plan([path])).toEqual([]);
});
