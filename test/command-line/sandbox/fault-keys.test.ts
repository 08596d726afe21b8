import {createInterface} from 'node:readline';
import {PassThrough} from 'node:stream';
import {describe, expect, test} from 'vitest';
import type {Terminal} from '../../../src/command-line/command.ts';
import {createOutput} from '../../../src/command-line/output/output.ts';
import {describeSandbox} from '../../../src/command-line/sandbox/describe-sandbox.ts';
import {
  canFix,
  describeFix,
  faultsToFix,
  listenForFaultKeys,
} from '../../../src/command-line/sandbox/sandbox-faults.ts';
import {loopbackFetch} from '../../sandbox/support.ts';
import {runningPlatform} from '../../support/platform.ts';
import {hasRoles} from '../../support/release.ts';

const noBrowser = false;

describe('what is typed', () => {
  test.each([
    ['', ['idp-down', 'self-signed']],
    ['  ', ['idp-down', 'self-signed']],
    [' idp-down ', ['idp-down']],
    ['mcp-401', 'mcp-401 is not in force, so there is nothing to fix. In force: idp-down, self-signed.'],
    ['idp', 'There is no fault called idp. In force: idp-down, self-signed.'],
  ])('%j', (line, wanted) => {
    expect(faultsToFix(line, ['idp-down', 'self-signed'])).toEqual(wanted);
  });

  test('a word, where nothing is wrong', () => {
    expect(faultsToFix('idp-down', [])).toBe(
      'idp-down is not in force, so there is nothing to fix. No fault is in force now.',
    );
  });
});

describe('what is answered', () => {
  test.each<readonly [Parameters<typeof describeFix>, string]>([
    [[['idp-down', 'mcp-401'], [], {noBrowser}], 'Fixed: idp-down, mcp-401. No fault is in force now.'],
    [[['idp-down'], ['mcp-401'], {noBrowser}], 'Fixed: idp-down. Not fixed: mcp-401.'],
    [
      [['expired-certificate'], ['self-signed'], {noBrowser, trust: 'export X'}],
      'Fixed: expired-certificate. Not fixed: self-signed (trust its certificate: export X).',
    ],
    [
      [['self-signed'], ['self-signed'], {noBrowser, trust: 'export X'}],
      'Nothing was fixed. Not fixed: self-signed (trust its certificate: export X).',
    ],
    [
      [['mcp-401'], [], {noBrowser: true}],
      'Fixed: mcp-401. Not fixed: no-browser (leave --no-browser out in the other terminal).',
    ],
    [
      [['mcp-401'], ['expired-certificate', 'self-signed'], {noBrowser}],
      'Fixed: mcp-401. Not fixed: expired-certificate, self-signed.',
    ],
    [[[], [], {noBrowser}], 'Nothing was fixed. No fault is in force now.'],
  ])('%j', (said, line) => {
    expect(describeFix(...said)).toBe(line);
  });
});

test('only what the operators can do something about is worth a key', () => {
  expect(canFix(['self-signed'])).toBe(false);
  expect(canFix([])).toBe(false);
  expect(canFix(['self-signed', 'expired-certificate'])).toBe(true);
});

test('a sandbox says that it can be mended only where it can be', async () => {
  const {ready} = await runningPlatform('single', {faults: ['idp-down']});
  const wanted = {names: ['idp-down'], noBrowser} as const;
  expect(describeSandbox(ready, {wanted, mendable: true})).toMatch(
    /^ {2}Press Enter to fix everything.*\n {2}Press Ctrl-C to stop it\.$/m,
  );
  expect(describeSandbox(ready, {wanted, mendable: false})).not.toContain('Enter');
  expect(describeSandbox(ready, {wanted, mendable: false})).not.toContain('To give a role');
  const bindable = describeSandbox(ready, {wanted, mendable: false, bindable: true});
  expect(bindable).toContain('To give a role: bind CLAIM VALUE ');
});

test.each([100, 60, 40])('in %i columns no line is broken within a word, but for commands to copy', async width => {
  const faults = ['wrong-audience', 'mcp-forgets', 'self-signed'] as const;
  const {ready} = await runningPlatform('single', {faults});
  const text = describeSandbox(ready, {wanted: {names: faults, noBrowser}, mendable: true, bindable: true, width});
  const lines = text.split('\n').filter(line => line.startsWith(' '));
  const words = (line: string) => line.trim().split(' ');
  const tooLong = lines.filter(line => line.length >= width && words(line).length > 1);
  expect(tooLong).toEqual([]);
  const whole = describeSandbox(ready, {wanted: {names: faults, noBrowser}, mendable: true, bindable: true});
  expect(text.split(/\s+/)).toEqual(whole.split(/\s+/));
});

const metadataOf = (authUrl: string) => loopbackFetch(`${authUrl}/.well-known/openid-configuration`);

/** Creates a sandbox with a keyboard, and a function that types a line and returns the answer. */
const atKeyboard = async (...faults: Parameters<typeof canFix>[0]) => {
  const sandbox = await runningPlatform('single', {faults});
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const said = createInterface({input: stdout})[Symbol.asyncIterator]();
  const stop = listenForFaultKeys({
    ...{sandbox, noBrowser, terminal: {stdin, stdout: createOutput(stdout), raw: stdout} as unknown as Terminal},
    trust: async () => (sandbox.ready.authority === undefined ? undefined : 'export X'),
    explain: async error => String(error instanceof Error && 'code' in error && error.code),
  });
  return {sandbox, stdin, stop, answer: async () => (await said.next()).value};
};

describe('a keyboard', () => {
  test('mends one, then the rest, each line answered by one', async () => {
    const {sandbox, stdin, answer} = await atKeyboard('idp-down', 'mcp-401', 'no-pkce');
    stdin.write('no-pkce\nnonsense\n');
    expect(await answer()).toBe('  Fixed: no-pkce. Not fixed: idp-down, mcp-401.');
    expect(await answer()).toBe('  There is no fault called nonsense. In force: idp-down, mcp-401.');
    stdin.write('\n');
    expect(await answer()).toBe('  Fixed: idp-down, mcp-401. No fault is in force now.');
    expect(sandbox.ready.faults).toEqual([]);
  });

  test('gives a role, and renews the signing key', async () => {
    const {sandbox, stdin, answer} = await atKeyboard('no-pkce');
    const {jwks_uri} = (await (await metadataOf(sandbox.ready.authUrl)).json()) as {jwks_uri: string};
    const keys = async () => (await loopbackFetch(jwks_uri)).text();
    const before = await keys();
    stdin.write('bind sub mcp_client\nbind sub\nbind sub x role king\nnew keys\n');
    expect(await answer()).toBe(
      `  Bound: an account whose sub is mcp_client has the role that allows everything everywhere.${hasRoles ? '' : ' Release 0.14 ignores roles.'}`,
    );
    expect(await answer()).toMatch(/^ {2}Type bind CLAIM VALUE /);
    expect(await answer()).toMatch(/^ {2}Not bound\. /);
    expect(await answer()).toMatch(/^ {2}The identity provider signs with a new key\./);
    expect(await keys()).not.toBe(before);
    expect(sandbox.ready.faults).toEqual(['no-pkce']);
  });

  test('renews a certificate, and says how it is trusted', async () => {
    const {stdin, answer} = await atKeyboard('expired-certificate');
    stdin.write('\n');
    expect(await answer()).toBe(
      '  Fixed: expired-certificate. Not fixed: self-signed (trust its certificate: export X).',
    );
  });

  test('says why something cannot be mended, and goes on', async () => {
    const {sandbox, stdin, answer} = await atKeyboard('observer-missing');
    const other = await runningPlatform('single', {
      port: Number(new URL(sandbox.ready.observerUrl).port),
      observerPort: 0,
    });
    stdin.write('\n');
    expect(await answer()).toBe('  Not fixed. EADDRINUSE');
    await other.close();
    stdin.write('\n');
    expect(await answer()).toBe('  Fixed: observer-missing. No fault is in force now.');
  });

  test('is left alone once it is stopped', async () => {
    const {sandbox, stdin, stop} = await atKeyboard('idp-down');
    stop();
    stdin.end('\n');
    expect(stdin.isPaused()).toBe(true);
    expect(sandbox.ready.faults).toEqual(['idp-down']);
  });
});
