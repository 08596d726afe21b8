import {dirname} from 'node:path';
import {describe, expect, test} from 'vitest';
import type {Context, ContextCli} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {ownCliPath, secretsFor} from '../../../src/flows/own-cli/compose-cli.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {credentialsIn, homeWith, others, person, secrets} from './support/home.ts';

const all = ['controlplanes', 'credentials', 'contexts'];

describe('a file', () => {
  test('that there is not yet is known to be made, and goes with what is in it', async () => {
    const {compose, path} = await homeWith();
    expect(await compose()).toMatchObject({path, change: 'new', before: null, isForeign: false});
    expect((await compose()).record).toStrictEqual({
      ...{path, name: 'acme', added: all, created: true},
      directories: [dirname(path)],
    });
  });

  test('that is there is known by what was added to it and what was the current context', async () => {
    const {compose, path} = await homeWith(others);
    const {record, ...change} = await compose({version: '1.2.0'});
    expect(change).toMatchObject({change: 'changed', before: Buffer.from(others), isForeign: false});
    expect(record).toStrictEqual({path, name: 'acme', added: all, previous: 'work', version: '1.2.0'});
  });

  test('that has something of the name keeps that', async () => {
    const {compose} = await homeWith('currentContext: acme\ncredentials:\n    - name: acme\n');
    const {record} = await compose();
    expect(record.added).toEqual(['controlplanes', 'contexts']);
    expect(record).not.toHaveProperty('previous');
  });

  test('that this program has written before is known as it was then', async () => {
    const {compose, ports, path, put} = await homeWith();
    const known: ContextCli = {
      path,
      name: 'acme',
      added: ['contexts'],
      created: true,
      directories: [dirname(path)],
      previous: 'home',
      version: '1.2.0',
    };
    const own = {...person, scopes: ['openid']};
    await ports.config.saveContext({...person, name: 'beta', cli: {...known, added: [], version: '0.14.0'}});
    await ports.config.saveContext({...own, cli: known});
    const {after} = await compose({context: own});
    // The release that was saved with it has a scope.
    expect(credentialsIn(after.reveal())).toMatchObject({scope: 'openid'});
    await put(after.reveal());
    expect(await compose({context: own})).toMatchObject({change: 'unchanged', record: known});
    await ports.config.saveCli('acme', {path, name: 'acme', added: []});
    expect((await compose()).record).toStrictEqual({path, name: 'acme', added: []});
  });

  test('that has the name for another server is somebody’s, unless this program has put it there', async () => {
    const {compose, ports, path} = await homeWith(others.replaceAll(': work\n', ': acme\n'));
    expect((await compose()).isForeign).toBe(true);
    await ports.config.saveContext({...person, cli: {path, name: 'acme', added: []}});
    expect((await compose()).isForeign).toBe(false);
  });

  test('holds the secrets of then and of now, which are kept out of copies, and no sign-out leaves one', async () => {
    const {compose, ports, path, put} = await homeWith();
    await put((await compose({}, {}, {access: new Secret('8-before'), refresh: new Secret('7-short')})).after.reveal());
    const hidden = async () => {
      const {before, after, tokens} = await compose();
      const at = (bytes: Buffer, spans: typeof tokens.before) =>
        spans.map(({start, end}) => bytes.toString('utf8', start, end));
      return [...at(before ?? Buffer.alloc(0), tokens.before), ...at(Buffer.from(after.reveal()), tokens.after)];
    };
    const now = ['access-of-now', 'refresh-of-now'];
    expect(await hidden()).toEqual(now);
    await ports.config.saveContext({...person, cli: {path, name: 'acme', added: []}});
    expect(await hidden()).toEqual(['8-before', '7-short', ...now]);
    const {after, signedOut} = await compose();
    expect(credentialsIn(after.reveal())).toMatchObject({token: 'access-of-now'});
    expect(credentialsIn(signedOut.reveal())).toEqual({
      ...{name: 'acme', clientId: 'openchoreo-cli', authMethod: 'authorization_code'},
    });
  });
});

describe('the CLI gets', () => {
  const account: Context = {...person, signIn: 'service-account', clientId: 'ci'};
  const secret = {access: secrets.access, clientSecret: new Secret('secret-of-ci')};
  const scopes = ['openid', 'profile'];
  const ofPerson = {clientId: 'openchoreo-cli', token: 'access-of-now', authMethod: 'authorization_code'};
  const ofClient = {clientId: 'ci', token: 'access-of-now', authMethod: 'client_credentials'};
  const shared = {...ofPerson, refreshToken: 'refresh-of-now'};

  test.each([
    ['a refresh token that is shared', person, {}, secrets, shared],
    ['the access token alone where it is not', person, {shares: false}, secrets, ofPerson],
    ['no refresh token where there is none', person, {}, {access: secrets.access}, ofPerson],
    ['the scopes of the sign-in', {...person, scopes}, {}, secrets, {...shared, scope: 'openid profile'}],
    ['no scope where none was asked for', {...person, scopes: []}, {}, secrets, shared],
    ['the secret of a service account', account, {}, secret, {...ofClient, clientSecret: 'secret-of-ci'}],
    ['no refresh token of a client', account, {}, {...secrets, ...secret}, {...ofClient, clientSecret: 'secret-of-ci'}],
    ['no secret that has to be sent in the header', {...account, signIn: 'mcp-client'}, {}, secret, ofClient],
  ] as const)('%s', async (_what, context, choice, given, expected) => {
    const {compose} = await homeWith();
    const {after} = await compose({context, version: '1.2.0'}, choice, given);
    expect(credentialsIn(after.reveal())).toEqual({name: 'acme', ...expected});
  });

  test('no scope where its release knows none', async () => {
    const {compose} = await homeWith();
    const {after} = await compose({context: {...person, scopes}, version: '0.14.0'});
    expect(credentialsIn(after.reveal())).not.toHaveProperty('scope');
  });
});

describe('the secrets are', () => {
  const kept = {accessToken: 'access', refreshToken: 'refresh', clientSecret: 'secret'};
  const texts = (found: Awaited<ReturnType<typeof secretsFor>>) =>
    found && Object.fromEntries(Object.entries(found).map(([key, one]) => [key, one?.reveal()]));

  test.each([
    ['of a person, without the secret of a client', 'browser', kept, {access: 'access', refresh: 'refresh'}],
    ['of a client, without a refresh token', 'service-account', kept, {access: 'access', clientSecret: 'secret'}],
    ['an access token alone', 'browser', {accessToken: 'access'}, {access: 'access'}],
    ['an access token alone', 'service-account', {accessToken: 'access'}, {access: 'access'}],
    ['none where nobody is signed in', 'browser', {refreshToken: 'refresh'}, undefined],
  ] as const)('%s (%s)', async (_what, signIn, stored, expected) => {
    const {input, ports} = await homeWith();
    const context: Context = {...person, signIn};
    await ports.credentials.replace(context, {issuer: person.issuer, clientId: person.clientId, ...stored});
    expect(texts(await secretsFor(input({context}), ports))).toStrictEqual(expected);
    // The secrets of this run take precedence.
    expect(await secretsFor(input({context, unsaved: secrets}), ports)).toBe(secrets);
  });
});

test('a platform without a CLI of its own has no file', () => {
  expect(() => ownCliPath(bundled, '/home/ada')).toThrow('no CLI of its own');
});
