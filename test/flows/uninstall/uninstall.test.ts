import {access, chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {text} from 'node:stream/consumers';
import {expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import {planUninstall, uninstall} from '../../../src/flows/uninstall.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {json, serve} from '../../support/server.ts';
import {machine} from '../assistants/support/machine.ts';

const claude = '{\n  "numStartups": 3\n}\n';

/** Sets up a person who has connected two assistants: one with an existing file, and one without. */
const connected = async () => {
  const own = await machine();
  const path = await own.put('.claude.json', claude);
  await own.connect(['claude-code', 'user', 'bridge'], ['cursor', 'user', 'header']);
  const cursor = join(own.home, '.cursor', 'mcp.json');
  const {ports} = own.again();
  const run = (through: Ports = ports) =>
    collect(uninstall, {assistants: allAssistants, place: own.place, portsFor: async () => through}, through);
  const isThere = (file: string) =>
    access(file).then(
      () => true,
      () => false,
    );
  return {...own, ports, path, cursor, run, isThere};
};

test('what is about to go is known before, and nothing is changed by that', async () => {
  const {ports, path, cursor} = await connected();
  const before = await readFile(path, 'utf8');
  const plan = await planUninstall(allAssistants, ports);
  expect(plan.contexts).toEqual([
    {
      name: 'acme',
      isSignedIn: true,
      entries: [
        {assistant: 'Claude Code', path},
        {assistant: 'Cursor', path: cursor},
      ],
    },
  ]);
  expect(plan.own).toContain(ports.config.path);
  expect(plan.own).toContain(ports.credentials.path);
  expect(plan.secretsIn).toBe('file');
  expect(await readFile(path, 'utf8')).toBe(before);
});

test('files are as they were, those that were not there are gone, and so are our own', async () => {
  const {ports, path, cursor, run, isThere} = await connected();
  const {result, events} = await run();
  expect(await readFile(path, 'utf8')).toBe(claude);
  expect(await isThere(cursor)).toBe(false);
  expect(await isThere(ports.config.path)).toBe(false);
  expect(await isThere(ports.credentials.path)).toBe(false);
  expect(result.files).toHaveLength(2);
  expect(result.files).toContainEqual({path, outcome: 'restored'});
  expect(result.files).toContainEqual({path: cursor, outcome: 'removed'});
  expect(result.left).toEqual([]);
  // This identity provider does not answer.
  expect(result.signedOut).toMatchObject([{context: 'acme'}]);
  expect(events.map(({type}) => type)).toContain('token-revoked');
});

test('out of what was changed since only entries are taken', async () => {
  const {path, cursor, run} = await connected();
  await writeFile(path, (await readFile(path, 'utf8')).replace('3', '4'));
  await writeFile(cursor, (await readFile(cursor, 'utf8')).replace('{', '{\n  "mine": 1,'));
  const {result} = await run();
  expect(await readFile(path, 'utf8')).toBe(claude.replace('3', '4'));
  expect(JSON.parse(await readFile(cursor, 'utf8'))).toMatchObject({mine: 1});
  expect(await readFile(cursor, 'utf8')).not.toContain('acme');
  expect(result.files.map(({outcome}) => outcome)).toEqual(['edited', 'edited']);
});

test('what cannot be removed keeps what is known of it, and the rest goes all the same', async () => {
  const {ports, path, cursor, run, isThere} = await connected();
  const whole = await readFile(path, 'utf8');
  await writeFile(path, `${whole}}`);
  await expect(run()).rejects.toMatchObject({
    code: 'local-uninstall-unfinished',
    message: expect.stringMatching(/^Not everything could be removed\. .*\.claude\.json/),
  });
  expect(await isThere(cursor)).toBe(false);
  expect(await isThere(ports.config.path)).toBe(true);
  await writeFile(path, whole);
  expect((await run()).result.left).toEqual([]);
  expect(await isThere(ports.config.path)).toBe(false);
  expect(await readFile(path, 'utf8')).not.toContain('acme');
});

test('a sign-in that only leaving contexts share is revoked', async () => {
  const {ports, run} = await connected();
  const revoked: (string | null)[] = [];
  const issuer: string = await serve(async (request, response) => {
    if (request.url === '/revoke') revoked.push(new URLSearchParams(await text(request)).get('token'));
    const endpoints = {token_endpoint: `${issuer}/token`, revocation_endpoint: `${issuer}/revoke`};
    return json({issuer, ...endpoints, jwks_uri: `${issuer}/jwks`})(request, response);
  });
  const [saved] = (await ports.config.read()).contexts;
  if (!saved) throw new Error('There is a context.');
  const key = {issuer, clientId: 'cli'};
  for (const name of ['one', 'two']) {
    await ports.config.saveContext({...saved, name, issuer, authUrl: issuer, entries: []});
    await ports.credentials.replace({...key, name} as never, {
      ...key,
      accessToken: 'a',
      refreshToken: 'r',
      expiresAt: 1,
    });
  }
  const {result} = await run();
  expect(revoked).toContain('r');
  expect(result.signedOut.find(({context}) => context === 'one')?.revocation).toBe('revoked');
  expect(result.signedOut.map(({revocation}) => revocation)).not.toContain('shared');
});

test('who leaves in the middle has their own files as before', async () => {
  const {ports, run, isThere} = await connected();
  const journal = {
    ...ports.journal,
    forget: async () => {
      throw cancelled();
    },
  };
  await expect(run({...ports, journal})).rejects.toMatchObject({code: 'cancelled'});
  expect(await isThere(ports.config.path)).toBe(true);
  await chmod(ports.config.path, 0o600);
});
