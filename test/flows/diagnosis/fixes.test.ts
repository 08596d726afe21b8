import {chmod, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Context} from '../../../src/domain/context.ts';
import {remedyText} from '../../../src/errors/describe-error.ts';
import {cancelled, type SetupError} from '../../../src/errors/errors.ts';
import type {Machine, Subject} from '../../../src/flows/diagnosis/check.ts';
import {applyFix} from '../../../src/flows/diagnosis/fixes.ts';
import type {Platform} from '../../../src/platform/platform.ts';
import {bundled, openchoreo} from '../../../src/platform/platforms.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {rotating, tokenServer} from '../../support/token-server.ts';
import {context, jwt, machine} from '../assistants/support/machine.ts';

/** Sets up a machine on which a fix can be applied, with a saved deployment or none. */
const mending = async () => {
  const made = await machine();
  const {ports, place, input} = made;
  type More = {
    readonly saved?: Context;
    readonly platform?: Platform;
    readonly assistants?: Machine['assistants'];
    readonly through?: Ports;
    readonly signal?: AbortSignal;
  };
  return {
    ...made,
    fix: (fix: 'reconnect' | 'own-cli' | 'tighten' | 'renew', more: More = {}) => {
      const {saved, platform = bundled, assistants = allAssistants, through = ports, signal = noSignal} = more;
      const {controlPlaneUrl, observerUrl, authUrl, issuer} = context;
      const addresses = {controlPlaneUrl, observerUrl, authUrl, issuer};
      const subject = {platform, ...addresses, ...(saved ? {context: saved} : {})} as Subject;
      const machineOf = {assistants, place, own: input([]).own, version: '1'} as unknown as Machine;
      return collect(applyFix, {fix, subject, machine: machineOf}, through, signal);
    },
  };
};

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('mending the entries', () => {
  test('mends every file that can be mended, and names the one that cannot', async () => {
    const {connect, saved, put, fix} = await mending();
    await connect(['cursor', 'user', 'bridge'], ['gemini-cli', 'user', 'bridge']);
    const before = await saved();
    const broken = await put('.gemini/settings.json', '{"mcpServers": [');
    const cursor = await put('.cursor/mcp.json', '{}');
    await expect(fix('reconnect', {saved: before})).rejects.toMatchObject({
      code: 'local-file-invalid',
      message: expect.stringMatching(/^Not everything could be fixed\. .*\.gemini/),
    });
    expect(await readFile(cursor, 'utf8')).toContain('acme-control-plane');
    expect(await readFile(broken, 'utf8')).toBe('{"mcpServers": [');
    const known = (one: Context) => one.entries?.map(({assistant}) => assistant).sort();
    expect(known(await saved())).toEqual(known(before));
  });

  onUnix('names what helps against a read-only file', async () => {
    const {connect, saved, put, fix} = await mending();
    await connect(['cursor', 'user', 'bridge']);
    const before = await saved();
    const cursor = await put('.cursor/mcp.json', '{}');
    await chmod(cursor, 0o444);
    const failed = await failure(fix('reconnect', {saved: before}));
    expect(failed).toMatchObject({code: 'local-file-read-only'});
    expect(remedyText(failed as SetupError)).toBe(
      'Make the file writable, or run npx setup mcp connect cursor --scope user --overwrite-read-only. It stays read-only after the change.',
    );
    expect(await readFile(cursor, 'utf8')).toBe('{}');
  });

  test('puts the token of now into those that hold one, and leaves what became the person’s', async () => {
    const {connect, saved, put, fix, ports} = await mending();
    await connect(['cursor', 'user', 'header']);
    const elsewhere = {url: 'http://other.example/mcp', headers: {Authorization: 'Bearer theirs'}};
    const path = await put('.cursor/mcp.json', JSON.stringify({mcpServers: {'acme-control-plane': elsewhere}}));
    const fresh = jwt(4_100_000_000);
    await ports.credentials.update(context, async kept => kept && {...kept, accessToken: fresh});
    const {events} = await fix('reconnect', {saved: await saved()});
    const {mcpServers} = JSON.parse(await readFile(path, 'utf8'));
    const headers = {Authorization: `Bearer ${fresh}`};
    expect(events).toContainEqual({
      type: 'warning',
      message: expect.stringMatching(
        /^“acme-control-plane” in .* has been changed since .* mcp connect cursor --replace\.$/,
      ),
    });
    expect(mcpServers).toEqual({
      'acme-control-plane': elsewhere,
      'acme-observability': {url: `${context.observerUrl}/mcp`, headers},
    });
  });

  test.each([
    ['2.1.300 (Claude Code)', 'helper'],
    ['2.1.100 (Claude Code)', 'bridge'],
  ])('keeps the way of each, unless its client cannot go it any more: %s', async (version, method) => {
    const {connect, saved, put, fix, ports} = await mending();
    await connect(['claude-code', 'user', 'helper']);
    await put('.claude.json', '{}');
    const run: Ports['processes']['run'] = async () => ({outcome: 'exited', code: 0, stdout: version, stderr: ''});
    const processes = {...ports.processes, find: async () => '/usr/bin/claude', run};
    await fix('reconnect', {saved: await saved(), through: {...ports, processes}});
    expect((await saved()).entries).toMatchObject([{assistant: 'claude-code', scope: 'user', method}]);
  });

  test('passes over an assistant that this version does not know', async () => {
    const {connect, saved, put, fix, fileOf} = await mending();
    await connect(['cursor', 'user', 'bridge'], ['zed', 'user', 'bridge']);
    const cursor = await put('.cursor/mcp.json', '{}');
    const zed = await put(fileOf('zed'), '{}');
    await fix('reconnect', {saved: await saved(), assistants: allAssistants.filter(({id}) => id !== 'cursor')});
    expect(await readFile(cursor, 'utf8')).toBe('{}');
    expect(await readFile(zed, 'utf8')).toContain('acme-control-plane');
  });

  test('ends where somebody leaves, or where there is a bug', async () => {
    const {connect, saved, fix, ports} = await mending();
    await connect(['cursor', 'user', 'bridge'], ['zed', 'user', 'bridge']);
    const failing = (error: unknown): Ports => {
      const check = () => Promise.reject(error);
      return {...ports, files: {...ports.files, check}};
    };
    for (const error of [cancelled(), new TypeError('This is a bug.')]) {
      expect(await failure(fix('reconnect', {saved: await saved(), through: failing(error)}))).toBe(error);
    }
  });
});

test('nothing is connected for a deployment that is not saved', async () => {
  const {fix, home} = await mending();
  expect((await fix('reconnect')).events).toEqual([]);
  expect((await fix('own-cli', {platform: openchoreo})).events).toEqual([]);
  await expect(stat(join(home, '.openchoreo'))).rejects.toThrow('ENOENT');
});

test('the platform’s own CLI is signed in with the sign-in that is kept', async () => {
  const {fix, home, ports} = await mending();
  const {issuer} = await tokenServer(rotating);
  const saved: Context = {...context, issuer, authUrl: issuer, controlPlaneUrl: issuer, signIn: 'service-account'};
  await ports.config.saveContext(saved);
  await ports.credentials.replace(saved, {issuer, clientId: saved.clientId, clientSecret: 'secret-of-ci'});
  await fix('own-cli', {saved, platform: openchoreo});
  const text = await readFile(join(home, '.openchoreo', 'config'), 'utf8');
  expect(text).toContain('secret-of-ci');
  // The fix renewed the token before.
  expect(text).toContain('access-1');
  expect((await ports.config.read()).contexts[0]).toMatchObject({cli: {name: 'acme'}});
});

test('a renewal that got no answer twice is tried once more', async () => {
  const {fix, ports} = await mending();
  const {issuer, asked} = await tokenServer(rotating);
  const saved: Context = {...context, issuer, authUrl: issuer, controlPlaneUrl: issuer, signIn: 'browser'};
  await ports.config.saveContext(saved);
  const refused = {at: Date.now(), reason: 'Two attempts got no answer.', isUnanswered: true as const};
  const unanswered = {expiresAt: 1, refreshToken: 'refresh-0', unanswered: 2, refused};
  await ports.credentials.replace(saved, {issuer, clientId: saved.clientId, ...unanswered});
  await fix('renew', {saved});
  expect(asked.map(form => form.get('refresh_token'))).toEqual(['refresh-0']);
  expect(await ports.credentials.get(saved)).toMatchObject({accessToken: 'access-1', refreshToken: 'refresh-1'});
});

describe.skipIf(process.platform === 'win32')('what is kept of a sign-in', () => {
  test('is for the person alone afterwards, and the same', async () => {
    const {fix, ports} = await mending();
    const {path} = ports.credentials;
    await chmod(path, 0o644);
    const before = await readFile(path, 'utf8');
    await fix('tighten');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  test('is not made where there is none', async () => {
    const {fix, ports} = await mending();
    await ports.files.remove(ports.credentials.path, {journal: false});
    await fix('tighten');
    await expect(stat(ports.credentials.path)).rejects.toThrow('ENOENT');
  });
});
