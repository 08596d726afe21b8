import {describe, expect, test, vi} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {SetupError} from '../../../src/errors/errors.ts';
import type {OwnCliInput} from '../../../src/flows/own-cli/compose-cli.ts';
import {type PlannedCli, planOwnCli} from '../../../src/flows/own-cli/own-cli-file.ts';
import {collect} from '../../support/flows.ts';
import {tokenServer} from '../../support/token-server.ts';
import {jwt} from '../assistants/support/machine.ts';
import {credentialsIn, homeWith, others, person} from './support/home.ts';

const stays = () => ({body: {access_token: 'access-1', token_type: 'Bearer', expires_in: 3600}});

/** Sets up a person who has just signed in. `text` is the CLI's file. */
const signedIn = async (text?: string) => {
  const {issuer, asked} = await tokenServer(stays);
  const home = await homeWith(text);
  const context: Context = {...person, issuer, controlPlaneUrl: issuer, authUrl: issuer};
  const unsaved = {access: new Secret('access-0'), refresh: new Secret('refresh-0')};
  const plan = (more: Partial<OwnCliInput> = {}) =>
    collect(planOwnCli, home.input({context, unsaved, ...more}), home.ports);
  return {...home, context, asked, plan};
};

const textOf = ({file: {write}}: PlannedCli) => (write.after instanceof Secret ? String(write.after.reveal()) : '');

describe('the file is planned', () => {
  test('with the tokens of the sign-in, which nothing shows', async () => {
    const {plan, path} = await signedIn(others);
    const {result, events} = await plan({use: 'stays'});
    const {file, record} = result;
    expect(credentialsIn(textOf(result))).toMatchObject({token: 'access-0', refreshToken: 'refresh-0'});
    expect(file).toMatchObject({
      path,
      change: 'changed',
      summary: 'occ signed in',
      write: {mode: 0o600, tighten: true},
    });
    expect(file.diff).toContain('+      token: "…"');
    expect(file.diff).not.toMatch(/access-|refresh-|token-at-work/);
    expect([record.name, record.previous]).toEqual(['acme', 'work']);
    const {diff, summary} = file;
    expect(events.filter(({type}) => type === 'file-planned' || type === 'warning')).toEqual([
      {type: 'file-planned', path, change: 'changed', summary, diff},
    ]);
  });

  test('without a renewal, which the person has not agreed to, and a warning announces it', async () => {
    const {plan, asked, context} = await signedIn(others);
    const {result, events} = await plan();
    expect(asked).toEqual([]);
    expect(result).toMatchObject({isUseUnknown: true});
    expect(credentialsIn(textOf(result))).toMatchObject({token: 'access-0', refreshToken: 'refresh-0'});
    expect(events.filter(({type}) => type === 'warning')).toEqual([
      {
        type: 'warning',
        message: `Before the file of occ is written, your sign-in is renewed once. If ${context.issuer} accepts each refresh token only once, occ gets the access token alone.`,
      },
    ]);
  });

  test('and is unchanged where everything is in it already', async () => {
    const {plan, put} = await signedIn();
    const {result} = await plan();
    expect(result.file).toMatchObject({change: 'new', before: null});
    await put(textOf(result));
    expect((await plan()).result.file).toMatchObject({change: 'unchanged', diff: '', before: expect.any(String)});
  });

  test('without a renewal for a client, whose secret stands in the file', async () => {
    const {plan, context, asked} = await signedIn();
    const unsaved = {access: new Secret('access-0'), clientSecret: new Secret('secret-of-ci')};
    const {result, events} = await plan({context: {...context, signIn: 'service-account', clientId: 'ci'}, unsaved});
    expect(result).not.toHaveProperty('isUseUnknown');
    expect(result).not.toHaveProperty('isTokenAlone');
    expect(asked).toEqual([]);
    expect(events.map(({type}) => type)).not.toContain('warning');
  });
});

describe('nothing is planned', () => {
  test('for somebody who is not signed in', async () => {
    const {home, ports, input} = await homeWith();
    const kept = input({home, context: {...person, signIn: 'service-account'}});
    await expect(collect(planOwnCli, kept, ports)).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: 'You are signed out of acme.',
    });
  });

  test('over a context of the same name that leads elsewhere, unless it may be replaced', async () => {
    const {plan, path} = await signedIn(others.replaceAll(': work\n', ': acme\n'));
    await expect(plan()).rejects.toMatchObject({code: 'local-entry-exists', about: {path}});
    expect((await plan({replace: true})).result.file.change).toBe('changed');
  });

  test('in a file that cannot be edited or written, and the refresh token is not used for it', async () => {
    const broken = await signedIn('currentContext: [');
    await expect(broken.plan()).rejects.toMatchObject({code: 'local-file-invalid'});
    const blocked = await signedIn();
    const failure = new SetupError('local-write-failed', 'The disk is full.');
    vi.spyOn(blocked.ports.files, 'check').mockRejectedValue(failure);
    await expect(blocked.plan()).rejects.toBe(failure);
    expect([...broken.asked, ...blocked.asked]).toEqual([]);
  });
});

describe('a warning says what the CLI cannot do', () => {
  const refresh = new Secret('refresh-0');
  const hour = jwt(Math.floor(Date.now() / 1000) + 3590);
  const alone = 'occ gets the access token alone: ';
  const usedOnce = /accepts each refresh token only once, and occ does not save the next one/;
  const ended = (when: string) =>
    `That token ${when}, and occ cannot renew it: npx setup login --context acme gets another.`;

  test.each([
    ['is used once', 'used-once', {access: new Secret('opaque'), refresh}, usedOnce, 'expires'],
    [
      'is not known to stay',
      'unknown',
      {access: new Secret(hour), refresh},
      /may accept a refresh token only once/,
      'expires in 1 h',
    ],
    ['is not there', 'none', {access: new Secret(jwt(1))}, /came without a refresh token/, 'expires in 0 ms'],
  ] as const)('where the refresh token %s', async (_why, use, unsaved, why, when) => {
    const {plan} = await signedIn();
    const {result, events} = await plan({unsaved, use});
    const messages = events.flatMap(event => (event.type === 'warning' ? event.message : []));
    expect(messages).toEqual([expect.stringMatching(why)]);
    expect(messages[0]?.startsWith(alone)).toBe(true);
    expect(messages[0]?.endsWith(ended(when))).toBe(true);
    expect(result).toMatchObject({isTokenAlone: true});
    expect(result.file.summary).toBe('occ signed in, no refresh token');
    expect(credentialsIn(textOf(result))).not.toHaveProperty('refreshToken');
  });

  test('where a client has to send its secret in the header', async () => {
    const {plan, context} = await signedIn();
    const unsaved = {access: new Secret(hour), clientSecret: new Secret('secret-of-ci')};
    const {events} = await plan({context: {...context, signIn: 'mcp-client', clientId: 'ci'}, unsaved});
    expect(events.filter(({type}) => type === 'warning')).toEqual([
      {
        type: 'warning',
        message: `occ gets the token of ci and not its secret: it cannot sign in with a client that sends its secret in the header (client_secret_basic). ${ended('expires in 1 h')}`,
      },
    ]);
  });
});
