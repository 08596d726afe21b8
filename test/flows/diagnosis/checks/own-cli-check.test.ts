import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {stringify} from 'yaml';
import type {Context} from '../../../../src/domain/context.ts';
import type {Scene} from '../../../../src/flows/diagnosis/check.ts';
import {ownCli} from '../../../../src/flows/diagnosis/checks/own-cli-check.ts';
import {contextAt} from '../../../support/context.ts';
import {portsIn, temporaryDirectory} from '../../../support/place.ts';
import {onUnix} from '../../../support/systems/on-unix.ts';
import {worded} from '../../../support/worded.ts';

const cli = {name: 'occ', configPath: ['.openchoreo', 'config']} as const;

const issuer = 'http://idp.acme.localhost:8080';
const controlPlaneUrl = 'http://api.acme.localhost:8080';

const jwt = (claims: object) =>
  `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnbmF0dXJl`;

/** Returns a token that expires in `seconds`. A negative number means that it has expired. */
const token = (seconds: number, iss = issuer) => jwt({iss, exp: Math.floor(Date.now() / 1000) + seconds});

type Kept = Readonly<Record<string, string>>;

const person: Kept = {
  clientId: 'openchoreo-cli',
  token: token(3590),
  refreshToken: token(80_000),
  authMethod: 'authorization_code',
};

const configOf = (credentials: Kept, url = controlPlaneUrl) =>
  stringify({
    currentContext: 'work',
    controlplanes: [
      {name: 'other', url: 'http://other.example'},
      {name: 'main', url},
    ],
    credentials: [{name: 'mine', ...credentials}],
    contexts: [{name: 'work', controlplane: 'main', credentials: 'mine'}],
  });

type Situation = {readonly mode?: number; readonly context?: Partial<Context>; readonly ours?: true};

const check = async (text?: string, {mode = 0o600, context, ours}: Situation = {}) => {
  const home = await temporaryDirectory();
  const path = join(home, ...cli.configPath);
  if (text !== undefined) {
    await mkdir(join(home, '.openchoreo'));
    await writeFile(path, text, {mode});
    await chmod(path, mode);
  }
  const known = ours ? {cli: {path, name: 'acme', added: []}} : {};
  const subject = {controlPlaneUrl, issuer, context: {...contextAt(controlPlaneUrl), issuer, ...context, ...known}};
  const scene = {ports: portsIn(join(home, 'setup')), machine: {place: {home}}, subject} as unknown as Scene;
  return ownCli(cli).run(scene);
};

describe('the platform’s own CLI', () => {
  test('that is signed in to the same control plane is well, and no secret of it is told', async () => {
    const finding = await check(configOf(person, `${controlPlaneUrl}/`));
    expect(finding).toEqual({
      verdict: 'pass',
      saw: expect.stringMatching(
        /^context work, http:\/\/api\.acme\.localhost:8080\/, 5\d min left, renewed when needed$/,
      ),
    });
  });

  test('that talks to another one is told, with both addresses', async () => {
    expect(await check(configOf(person, 'http://localhost:8080'))).toMatchObject({
      verdict: 'warning',
      sentence: 'occ uses http://localhost:8080, but this deployment is at http://api.acme.localhost:8080.',
    });
  });

  test('that was never used is skipped', async () => {
    expect(await check()).toMatchObject({verdict: 'skipped'});
  });

  test('whose file is none is told with its path', async () => {
    expect((await check('currentContext: [')).saw).toMatch(/\.openchoreo[\\/]config$/);
  });

  test.each([
    ['', 'occ has no current context, so it has no platform to connect to.'],
    ['text', 'occ has no current context, so it has no platform to connect to.'],
    [
      'currentContext: gone\n',
      'The current context of occ, gone, does not exist, so occ has no platform to connect to.',
    ],
    [
      'currentContext: work\ncontexts:\n  - {name: work, controlplane: gone}\n',
      'The current context of occ, work, has no control plane, so occ has no platform to connect to.',
    ],
  ])('that knows no platform by its file (%j) is told why', async (text, sentence) => {
    expect(worded(await check(text))).toMatchObject({
      verdict: 'warning',
      sentence,
      remedy: 'Add this deployment to it: npx setup --context acme --cli-config.',
    });
  });

  onUnix('whose tokens others can read is told', async () => {
    expect(worded(await check(configOf(person), {mode: 0o644}))).toMatchObject({
      verdict: 'warning',
      saw: expect.stringContaining('mode 644'),
      remedy: expect.stringContaining('chmod 600'),
    });
  });
});

describe('its sign-in', () => {
  const account: Kept = {clientId: 'ci', clientSecret: 'shh', token: token(-600), authMethod: 'client_credentials'};
  const {refreshToken: _, ...alone} = person;
  const {token: __, ...signedOut} = person;

  test.each([
    ['an expired token, and a refresh token', {...person, token: token(-600)}, /token expired, renewed when needed$/],
    ['an expired token, and a secret', account, /token expired, renewed when needed$/],
    // The token as the CLI judges it.
    [
      'a token that is no JWT, and a refresh token',
      {...person, token: 'opaque'},
      /token expired, renewed when needed$/,
    ],
    ['a token alone that is good', alone, /5\d min left, cannot be renewed: it has neither/],
  ])('by %s is well', async (_how, credentials, saw) => {
    expect(await check(configOf(credentials))).toEqual({verdict: 'pass', saw: expect.stringMatching(saw)});
  });

  test.each([
    ['no token', signedOut, 'occ is not signed in to this deployment.'],
    [
      'a token alone that has ended',
      {...alone, token: token(-600)},
      'occ has a token that expired 10 min ago, and it cannot renew the token: it has neither a refresh token nor the secret of a client.',
    ],
    [
      'a refresh token that has ended too',
      {...person, token: token(-600), refreshToken: token(-10)},
      'occ has a token that expired 10 min ago, and it cannot renew the token: its refresh token has expired.',
    ],
    [
      'a token of another identity provider',
      {...person, token: token(3600, 'http://idp.other.example')},
      `occ is signed in elsewhere. The token was issued by http://idp.other.example, but the identity provider is ${issuer}.`,
    ],
    [
      'a token that names no issuer',
      {...person, token: jwt({exp: Math.floor(Date.now() / 1000) + 3600})},
      expect.stringMatching(/^occ has a token that does not work here\. The token does not name its issuer/),
    ],
    [
      'a refresh token that it does not use, by what it takes for its way to sign in',
      {...person, token: token(-600), authMethod: 'pkce'},
      expect.stringContaining('it cannot renew the token'),
    ],
  ])('by %s is told', async (_how, credentials, sentence) => {
    expect(worded(await check(configOf(credentials)))).toMatchObject({
      verdict: 'warning',
      sentence,
      remedy: 'Sign it in: occ login, or npx setup --context acme --cli-config.',
    });
  });

  test('by the secret of a client that has to send it in the header is told', async () => {
    const context = {signIn: 'mcp-client', clientId: 'ci'} as const;
    expect(await check(configOf(account), {context})).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringContaining(
        'it sends the secret of ci in the request body, but that client needs it in the header',
      ),
    });
  });

  test('that this program has made it can mend', async () => {
    expect(worded(await check(configOf(signedOut), {ours: true}))).toMatchObject({
      fix: 'own-cli',
      remedy: 'Sign it in again: npx setup login --context acme.',
    });
    expect(await check(configOf(signedOut))).not.toHaveProperty('fix');
  });
});
