import {mkdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {claudeCode} from '../../../../src/assistants/catalogue/claude-code.ts';
import {codexCli} from '../../../../src/assistants/catalogue/codex-cli.ts';
import type {Connection} from '../../../../src/assistants/connection.ts';
import type {Finding} from '../../../../src/domain/finding.ts';
import type {OrganisationEntry} from '../../../../src/flows/assistants/organisation-entries.ts';
import {checksOf} from '../../../../src/flows/diagnosis/all-checks.ts';
import {organisationEntryChecks} from '../../../../src/flows/diagnosis/checks/assistant-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import {context, machine} from '../../assistants/support/machine.ts';
import {look} from './support/look.ts';

const path = '/etc/claude-code/managed-mcp.json';

/** Sets up entries that an organisation gives Claude Code, and a function that runs the check of them. */
const given = async () => {
  const {ports, place, input, home} = await machine();
  const program = join(home, 'bin', 'setup.js');
  await mkdir(join(home, 'bin'));
  await writeFile(program, '');
  const connection: Connection = {kind: 'command', command: process.execPath, args: [program, 'mcp'], env: {}};
  const entries = (['control-plane', 'observability'] as const).map(
    (server): OrganisationEntry => ({assistant: claudeCode, server, name: `acme-${server}`, path, connection}),
  );
  const seen: Connection[] = [];
  return {
    program,
    seen,
    connection,
    find: async (outcomes: Readonly<Record<string, Finding>> = {}): Promise<Finding> => {
      const [check, ...others] = organisationEntryChecks(entries);
      if (!check || others.length > 0) throw new Error('There is one check for each assistant.');
      expect(check).toMatchObject({id: 'assistant-claude-code-organisation', title: 'Entries of Claude Code'});
      return look(check, {
        ...{context, ports, outcomes},
        machine: {place, own: input([]).own, assistants: [claudeCode]},
        toolsThrough: async connection => {
          seen.push(connection);
          return {names: ['one', 'two'], tokens: 20, reading: {tools: 2, tokens: 20}, ms: 1};
        },
      });
    },
  };
};

test('what an organisation gives is tried as it stands in its file', async () => {
  const {find, seen, connection} = await given();
  expect(await find()).toEqual({
    verdict: 'pass',
    saw: `${path}, by your organisation: control-plane 2 tools, observability 2 tools`,
  });
  expect(seen).toEqual([connection, connection]);
});

test('it is not tried without its program, and whoever manages the machine is to be asked', async () => {
  const {find, seen, program} = await given();
  await rm(program);
  expect(await find()).toMatchObject({
    verdict: 'warning',
    saw: path,
    sentence: `Your organisation’s entry “acme-control-plane” starts ${program}, which is not on this machine.`,
    remedy: expect.stringContaining('manages this machine'),
  });
  expect(seen).toEqual([]);
});

test('nor where its server cannot be looked at', async () => {
  const {find, seen} = await given();
  const fail: Finding = {verdict: 'fail', saw: 'x', sentence: 'x', remedy: 'x', code: 'network-timeout'};
  expect(await find({'mcp-control-plane': fail})).toMatchObject({verdict: 'skipped', because: 'mcp-control-plane'});
  const skipped: Finding = {verdict: 'skipped', saw: 'nobody is signed in', because: 'token'};
  expect(await find({'mcp-control-plane': skipped})).toEqual(skipped);
  expect(seen).toEqual([]);
});

test('an assistant that has entries of the person’s is looked at by those', () => {
  const {controlPlaneUrl, authUrl, issuer} = context;
  const entry = {assistant: 'codex-cli', project: '/', scope: 'user', method: 'bridge', path: '/x', names: []} as const;
  const connection: Connection = {kind: 'command', command: 'node', args: [], env: {}};
  const of = (assistant: typeof claudeCode): OrganisationEntry => ({
    ...{assistant, server: 'control-plane', name: 'a', path, connection},
  });
  const subject = {platform: bundled, context: {...context, entries: [entry]}, controlPlaneUrl, authUrl, issuer};
  const ids = checksOf(subject, [of(claudeCode), of(codexCli)]).flatMap(({id, layer}) =>
    layer === 'assistants' ? [id] : [],
  );
  expect(ids).toEqual(['assistant-codex-cli-user', 'assistant-claude-code-organisation']);
});
