import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Assistant} from '../../../src/assistants/assistant.ts';
import {geminiCli} from '../../../src/assistants/catalogue/gemini-cli.ts';
import {generic} from '../../../src/assistants/catalogue/generic.ts';
import type {Trust, TrustQuestion, TrustState} from '../../../src/assistants/trust.ts';
import type {ContextEntry} from '../../../src/domain/context.ts';
import type {Scene} from '../../../src/flows/diagnosis/check.ts';
import {untrusted} from '../../../src/flows/diagnosis/checks/assistant-checks.ts';
import {machine} from '../assistants/support/machine.ts';

/** Sets up a client that answers in this way, and records what it was asked. */
const asking = async (standing: TrustState, commands: Pick<Trust, 'forgets' | 'approves'> = {}) => {
  const {ports, home, project, place, put} = await machine();
  const asked: {values: readonly unknown[]; question: TrustQuestion}[] = [];
  const client: Assistant = {
    ...generic,
    name: 'Client',
    files: (scope, {project}) => (scope === 'project' ? [join(project, '.client', 'mcp.json')] : []),
    trust: {
      language: 'JSON',
      ...commands,
      files: () => ['trusted.json', 'broken.json', 'none.json'].map(name => join(home, name)),
      standing: (values, question) => {
        asked.push({values, question});
        return standing;
      },
    },
  };
  const entry: ContextEntry = {
    ...{assistant: 'client', scope: 'project', project, method: 'helper', names: ['acme-control-plane']},
    path: join(project, '.client', 'mcp.json'),
  };
  const find = (more: Partial<ContextEntry> = {}, assistant = client) =>
    untrusted(assistant, {...entry, ...more}, {machine: {place}, ports} as unknown as Scene);
  return {asked, find, client, put, place, project, path: entry.path};
};

test('a client is asked for the folder of the entries, with what stands in its files', async () => {
  const {asked, find, put, place, project} = await asking('trusted');
  await put('trusted.json', '{"folders": 1}');
  await put('broken.json', '{');
  // The person is in another project now.
  expect(await find()).toBeUndefined();
  await put('../project/.git/HEAD', '');
  expect(await find()).toBeUndefined();
  const question = {place, folder: project, names: ['acme-control-plane'], method: 'helper'};
  expect(asked).toEqual([
    {values: [{folders: 1}, undefined, undefined], question},
    {values: [{folders: 1}, undefined, undefined], question: {...question, repository: project}},
  ]);
});

test('of a client that its maker has ended for some, that is said beside', async () => {
  const {find, client} = await asking('untrusted');
  const ended = 'Client takes no personal accounts any more: connect Heir instead.';
  expect(await find({}, {...client, ended})).toMatchObject({
    remedy: `Start Client in that folder, and trust the folder when it asks. ${ended}`,
  });
});

test('Gemini CLI names what takes its place, when it was connected and in the diagnosis', () => {
  expect(geminiCli.ended).toMatch(/personal accounts.*Antigravity/);
  expect(geminiCli.afterwards('user', 'bridge')).toContain(geminiCli.ended);
});

describe('what a client waits for is said, and what to do', () => {
  test.each<[TrustState, string | undefined, string, string]>([
    [
      'untrusted',
      undefined,
      'Client does not trust FOLDER yet, so it does not start the MCP servers named in that folder.',
      'Start Client in that folder, and trust the folder when it asks.',
    ],
    [
      'unapproved',
      undefined,
      'Client trusts FOLDER, but you still have to approve these servers.',
      'Start Client in that folder, and approve them when it asks.',
    ],
    [
      'refused',
      undefined,
      'Client was told not to use these servers, or not to trust FOLDER.',
      'To use these servers after all, change that in Client.',
    ],
    [
      'refused',
      'client forget',
      'Client was told not to use these servers, or not to trust FOLDER.',
      'Run client forget in that folder to change that.',
    ],
  ])('%s, with %s', async (standing, forgets, sentence, remedy) => {
    const {find, project, path} = await asking(standing, forgets === undefined ? {} : {forgets});
    expect(await find()).toEqual({
      verdict: 'warning',
      saw: `${path}, ${standing}`,
      sentence: sentence.replace('FOLDER', project),
      remedy,
    });
  });
});

test.each<[TrustState, string, string]>([
  ['unapproved', 'needs your approval to use these servers', 'Run client yes acme-control-plane'],
  ['refused', 'was told not to use these servers', 'Run client yes acme-control-plane'],
])('a client that is answered by a command names it: %s', async (standing, sentence, remedy) => {
  const {find} = await asking(standing, {approves: 'client yes'});
  expect(await find()).toMatchObject({
    sentence: expect.stringContaining(sentence),
    remedy: expect.stringContaining(remedy),
  });
});

test('nobody is asked about the person’s own file, or by a client that does not tell', async () => {
  const {asked, find, client} = await asking('untrusted');
  const {trust: _, ...silent} = client;
  expect(await find({scope: 'user'})).toBeUndefined();
  expect(await find({}, silent)).toBeUndefined();
  expect(await find({path: '/elsewhere/mcp.json'})).toBeUndefined();
  expect(asked).toEqual([]);
});
