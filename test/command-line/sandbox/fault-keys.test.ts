import {createInterface} from 'node:readline';
import {PassThrough} from 'node:stream';
import {describe, expect, test} from 'vitest';
import type {Terminal} from '../../../src/command-line/command.ts';
import {createOutput} from '../../../src/command-line/output/output.ts';
import {describeSandbox} from '../../../src/command-line/sandbox/describe-sandbox.ts';
import {listenForFaultKeys} from '../../../src/command-line/sandbox/fault-keys.ts';
import {canMend, describeMending, mendingIn} from '../../../src/command-line/sandbox/sandbox-faults.ts';
import {loopbackFetch} from '../../sandbox/support.ts';
import {runningPlatform} from '../../support/platform.ts';
import {hasRoles} from '../../support/release.ts';

const noBrowser = false;

describe('what is typed', () => {
  test.each([
    ['', ['idp-down', 'self-signed']],
    ['  ', ['idp-down', 'self-signed']],
    [' idp-down ', ['idp-down']],
    ['mcp-401', 'There is nothing called mcp-401 to mend. In force: idp-down, self-signed.'],
    ['idp', 'There is nothing called idp to mend. In force: idp-down, self-signed.'],
  ])('%j', (line, wanted) => {
    expect(mendingIn(line, ['idp-down', 'self-signed'])).toEqual(wanted);
  });

  test('a word, where nothing is wrong', () => {
    expect(mendingIn('idp-down', [])).toBe(
      'There is nothing called idp-down to mend. Nothing is wrong with it any more.',
    );
  });
});

describe('what is answered', () => {
  test.each<readonly [Parameters<typeof describeMending>, string]>([
    [[['idp-down', 'mcp-401'], [], {noBrowser}], 'Mended: idp-down, mcp-401. Nothing is wrong with it any more.'],
    [[['idp-down'], ['mcp-401'], {noBrowser}], 'Mended: idp-down. Not mended: mcp-401.'],
    [
      [['expired-certificate'], ['self-signed'], {noBrowser, trust: 'export X'}],
      'Mended: expired-certificate. Not mended: self-signed (trust its certificate: export X).',
    ],
    [
      [['self-signed'], ['self-signed'], {noBrowser, trust: 'export X'}],
      'Nothing was mended. Not mended: self-signed (trust its certificate: export X).',
    ],
    [
      [['mcp-401'], [], {noBrowser: true}],
      'Mended: mcp-401. Not mended: no-browser (leave --no-browser out in the other terminal).',
    ],
    [
      [['mcp-401'], ['expired-certificate', 'self-signed'], {noBrowser}],
      'Mended: mcp-401. Not mended: expired-certificate, self-signed.',
    ],
    [[[], [], {noBrowser}], 'Nothing was mended. Nothing is wrong with it any more.'],
  ])('%j', (said, line) => {
    expect(describeMending(...said)).toBe(line);
  });
});

test('only what the operators can do something about is worth a key', () => {
  expect(canMend(['self-signed'])).toBe(false);
  expect(canMend([])).toBe(false);
  expect(canMend(['self-signed', 'expired-certificate'])).toBe(true);
});

test('a sandbox says that it can be mended only where it can be', async () => {
  const {ready} = await runningPlatform('single', {faults: ['idp-down']});
  const wanted = {names: ['idp-down'], noBrowser} as const;
  expect(describeSandbox(ready, {wanted, mendable: true})).toMatch(/^ {2}Enter mends it .*\n {2}Ctrl-C ends it\.$/m);
  expect(describeSandbox(ready, {wanted, mendable: false})).not.toContain('Enter');
  expect(describeSandbox(ready, {wanted, mendable: false})).not.toContain('To give a role');
  const bindable = describeSandbox(ready, {wanted, mendable: false, bindable: true});
  expect(bindable).toContain('To give a role: bind CLAIM VALUE ');
});

const metadataOf = (authUrl: string) => loopbackFetch(`${authUrl}/.well-known/openid-configuration`);

/** A sandbox with a keyboard: lines go in, and come out with their answers. */
const atKeyboard = async (...faults: Parameters<typeof canMend>[0]) => {
  const sandbox = await runningPlatform('single', {faults});
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const said = createInterface({input: stdout})[Symbol.asyncIterator]();
  const stop = listenForFaultKeys({
    ...{sandbox, noBrowser, terminal: {stdin, stdout: createOutput(stdout)} as unknown as Terminal},
    trust: async () => (sandbox.ready.authority === undefined ? undefined : 'export X'),
    explain: async error => String(error instanceof Error && 'code' in error && error.code),
  });
  return {sandbox, stdin, stop, answer: async () => (await said.next()).value};
};

describe('a keyboard', () => {
  test('mends one, then the rest, each line answered by one', async () => {
    const {sandbox, stdin, answer} = await atKeyboard('idp-down', 'mcp-401', 'no-pkce');
    stdin.write('no-pkce\nnonsense\n');
    expect(await answer()).toBe('  Mended: no-pkce. Not mended: idp-down, mcp-401.');
    expect(await answer()).toBe('  There is nothing called nonsense to mend. In force: idp-down, mcp-401.');
    stdin.write('\n');
    expect(await answer()).toBe('  Mended: idp-down, mcp-401. Nothing is wrong with it any more.');
    expect(sandbox.ready.faults).toEqual([]);
  });

  test('gives a role, and renews the signing key', async () => {
    const {sandbox, stdin, answer} = await atKeyboard('no-pkce');
    const {jwks_uri} = (await (await metadataOf(sandbox.ready.authUrl)).json()) as {jwks_uri: string};
    const keys = async () => (await loopbackFetch(jwks_uri)).text();
    const before = await keys();
    stdin.write('bind sub mcp_client\nbind sub\nbind sub x role king\nnew keys\n');
    expect(await answer()).toBe(
      `  Bound: whose sub is mcp_client has the role admin everywhere.${hasRoles ? '' : ' Roles do not count in release 0.14.'}`,
    );
    expect(await answer()).toMatch(/^ {2}It is bind CLAIM VALUE /);
    expect(await answer()).toMatch(/^ {2}Not bound\. /);
    expect(await answer()).toMatch(/^ {2}The identity provider signs with another key\./);
    expect(await keys()).not.toBe(before);
    expect(sandbox.ready.faults).toEqual(['no-pkce']);
  });

  test('renews a certificate, and says how it is trusted', async () => {
    const {stdin, answer} = await atKeyboard('expired-certificate');
    stdin.write('\n');
    expect(await answer()).toBe(
      '  Mended: expired-certificate. Not mended: self-signed (trust its certificate: export X).',
    );
  });

  test('says why something cannot be mended, and goes on', async () => {
    const {sandbox, stdin, answer} = await atKeyboard('observer-missing');
    const other = await runningPlatform('single', {
      port: Number(new URL(sandbox.ready.observerUrl).port),
      observerPort: 0,
    });
    stdin.write('\n');
    expect(await answer()).toBe('  Not mended. EADDRINUSE');
    await other.close();
    stdin.write('\n');
    expect(await answer()).toBe('  Mended: observer-missing. Nothing is wrong with it any more.');
  });

  test('is left alone once it is stopped', async () => {
    const {sandbox, stdin, stop} = await atKeyboard('idp-down');
    stop();
    stdin.end('\n');
    expect(stdin.isPaused()).toBe(true);
    expect(sandbox.ready.faults).toEqual(['idp-down']);
  });
});
