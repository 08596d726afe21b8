import {describe, expect, test} from 'vitest';
import {asAssistants} from '../../../../src/domain/context.ts';
import {keyOf} from '../../../../src/domain/credentials.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import {checksOf} from '../../../../src/flows/diagnosis/all-checks.ts';
import type {Learned, Subject} from '../../../../src/flows/diagnosis/check.ts';
import {access, assistantsAccess, signingKey} from '../../../../src/flows/diagnosis/checks/platform-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import {contextAt} from '../../../support/context.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {type Handler, json, serveRoutes, text} from '../../../support/server.ts';
import {rotating, tokenServer} from '../../../support/token-server.ts';
import {worded} from '../../../support/worded.ts';
import {look} from './support/look.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedBy = (kid: string | undefined) => `${part(kid === undefined ? {} : {kid})}.${part({})}.c2ln`;

const addresses = {authUrl: 'http://idp', controlPlaneUrl: 'http://api'} as Subject;

describe('the signing key', () => {
  const keys = async (handler: Handler, kid: string | undefined = 'one') => {
    const origin = await serveRoutes({'/jwks': handler});
    const learned: Learned = {metadata: {jwks_uri: `${origin}/jwks`}, token: {accessToken: signedBy(kid)}};
    return look(signingKey, {origin, learned});
  };
  const publishing = (...kids: readonly unknown[]) => json({keys: [null, {}, ...kids.map(kid => ({kid}))]});

  test('is one that is published', async () => {
    expect(await keys(publishing('zero', 'one'))).toEqual({verdict: 'pass', saw: 'key one'});
  });

  test('of another installation is a failure', async () => {
    await expect(worded(keys(publishing(1, 'two')))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
      message: expect.stringContaining('no longer publishes'),
      remedy: 'Sign in again: npx setup login.',
    });
  });

  test('is not compared where there is nothing to compare', async () => {
    const skipped = {verdict: 'skipped', saw: 'no key to compare'};
    for (const learned of [{}, {metadata: {jwks_uri: 'nowhere'}}, {metadata: {}}]) {
      expect(await look(signingKey, {learned: {...learned, token: {accessToken: signedBy('one')}}})).toEqual(skipped);
    }
    const origin = await serveRoutes({'/jwks': publishing('one')});
    const metadata = {jwks_uri: `${origin}/jwks`};
    expect(await look(signingKey, {learned: {metadata, token: {accessToken: signedBy(undefined)}}})).toEqual(skipped);
    expect(await look(signingKey, {learned: {metadata}})).toEqual(skipped);
  });

  test('cannot be compared where the keys cannot be read', async () => {
    await expect(keys(text('no', 500))).rejects.toMatchObject({code: 'platform-error'});
    // The keys are public, so a refusal is not about the token.
    await expect(keys(text('no', 401))).rejects.toMatchObject({
      code: 'platform-error',
      message: expect.stringContaining('requires its own sign-in'),
    });
    await expect(keys(json({keys: 'none'}))).rejects.toMatchObject({
      code: 'platform-invalid-answer',
      about: {url: expect.stringMatching(/\/jwks$/)},
    });
  });

  test('is that of a token, at the identity provider', () => {
    expect(signingKey.needs).toEqual(['token', 'discovery']);
    expect(signingKey.address?.(addresses)).toBe('http://idp');
  });

  describe('that has changed', () => {
    /** Sets up a sign-in at an identity provider that answers renewals in this way. */
    const renewing = async (answer: Parameters<typeof tokenServer>[0], change: object = {}) => {
      const {issuer} = await tokenServer(answer);
      const keysAt = await serveRoutes({'/jwks': publishing('new')});
      const ports = await temporaryPorts();
      const accessToken = signedBy('old');
      const kept = {
        issuer,
        clientId: 'platform-cli',
        accessToken,
        refreshToken: 'r',
        expiresAt: Date.now() + 3_600_000,
        ...change,
      };
      await ports.credentials.replace(contextAt(issuer), kept);
      const learned: Learned = {metadata: {jwks_uri: `${keysAt}/jwks`}, token: {accessToken}};
      return {learned, ports, look: () => look(signingKey, {origin: issuer, context: {}, ports, learned})};
    };

    test('has the token renewed', async () => {
      const {learned, look} = await renewing(rotating);
      expect(await look()).toEqual({verdict: 'pass', saw: 'the keys had changed, so the token was renewed'});
      expect(learned.token?.accessToken).toBe('access-1');
    });

    test('is a failure where it cannot be renewed, with the reason', async () => {
      const {look} = await renewing(() => ({status: 400, body: {error: 'invalid_grant'}}));
      await expect(worded(look())).rejects.toMatchObject({
        code: 'auth-sign-in-required',
        message: expect.stringMatching(/no longer publishes.* signed out/),
        remedy: 'Sign in again: npx setup login --context acme.',
      });
    });

    test('is a failure where there is nothing to renew it with', async () => {
      const {look, learned} = await renewing(rotating, {refreshToken: undefined});
      await expect(worded(look())).rejects.toMatchObject({
        code: 'auth-sign-in-required',
        message: expect.stringMatching(/no longer publishes.*replaced\.$/),
        remedy: 'Sign in again: npx setup login --context acme.',
      });
      expect(learned.token?.accessToken).toBe(signedBy('old'));
    });

    test('says nothing of the key where the renewal meets a bug', async () => {
      const {look, ports} = await renewing(rotating);
      ports.credentials.get = async () => {
        throw new TypeError('a bug');
      };
      await expect(look()).rejects.toThrow(TypeError);
    });
  });
});

describe('what the account may do', () => {
  const at = async (profile: Handler, version?: string) => {
    const origin = await serveRoutes({[bundled.paths.profile]: profile});
    const learned = {token: {accessToken: 'access-0'}, ...(version ? {version} : {})};
    return look(access, {origin, learned});
  };
  const user = {type: 'user', entitlement_claim: 'groups', entitlement_values: ['cooks']};
  const allowing = (...paths: readonly string[]) =>
    json({user, capabilities: {see: {allowed: paths.map(path => ({path}))}}});

  test('is said, where it is anything', async () => {
    expect(await at(allowing('*'), '1.2.0')).toEqual({verdict: 'pass', saw: expect.stringMatching(/\S/)});
    await expect(at(allowing(), '1.2.0')).rejects.toMatchObject({code: 'auth-no-role'});
  });

  test('is asked with the token', async () => {
    let sent: string | undefined;
    const profile: Handler = (request, response) => {
      sent = request.headers.authorization;
      allowing('*')(request, response);
    };
    await at(profile, '1.2.0');
    expect(sent).toBe('Bearer access-0');
  });

  test('is found out of a token, at the control plane', () => {
    expect(access.needs).toEqual(['token', 'health-control-plane']);
    expect(access.address?.(addresses)).toBe('http://api');
  });

  test('is not asked of a release without roles', async () => {
    expect(await at(allowing(), '0.14.0')).toMatchObject({verdict: 'skipped'});
  });
});

describe('what the assistants’ account may do', () => {
  const at = async (action: string, purpose: 'look' | 'build', version = '1.2.0', expiresAt = Date.now() + 60_000) => {
    const user = {type: 'service_account', entitlement_claim: 'sub', entitlement_values: ['theirs']};
    const allowed = [{path: '*'}];
    const seen = action === '' ? {} : {'project:view': {allowed}, [action]: {allowed}};
    const profile = json({user, capabilities: seen});
    const origin = await serveRoutes({[bundled.paths.profile]: profile});
    const ports = await temporaryPorts();
    const assistantsAccount = {clientId: 'theirs', signIn: 'service-account', purpose} as const;
    const theirs = asAssistants({...contextAt(origin), assistantsAccount});
    if (!theirs) throw new Error('They have an account.');
    await ports.credentials.replace(theirs, {...keyOf(theirs), accessToken: 'access-0', expiresAt});
    return look(assistantsAccess([]), {origin, ports, context: {assistantsAccount}, learned: {version}});
  };

  test('is worth a warning where it is meant only to look and can make changes', async () => {
    expect(await at('project:create', 'look')).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringMatching(
        /^The account is meant only to look, but .* it has a role for 2 kinds of actions,/,
      ),
      remedy: 'Ask an administrator of the platform to take that role away.',
    });
    expect(await at('project:view', 'look')).toMatchObject({verdict: 'pass'});
    expect(await at('project:create', 'build')).toMatchObject({verdict: 'pass'});
  });

  test('is a failure where it has no role', async () => {
    const failed = worded(at('', 'build'));
    await expect(failed).rejects.toMatchObject({
      code: 'auth-no-role',
      remedy: expect.stringMatching(
        /^If you may grant the role, run npx setup mcp connect --assistants-as build --role grant --context acme\. Otherwise ask an administrator/,
      ),
    });
    // The control plane of an earlier release cannot be asked for it.
    await expect(worded(at('', 'look', '0.15.0'))).rejects.toMatchObject({
      remedy: expect.stringContaining('--assistants-as look --role kubectl'),
    });
  });

  test('is that of the account which a running wizard is about to give them', async () => {
    const sent: (string | undefined)[] = [];
    const user = {type: 'service_account', entitlement_claim: 'sub', entitlement_values: ['theirs']};
    const profile: Handler = (request, response) => {
      sent.push(request.headers.authorization);
      json({user, capabilities: {}})(request, response);
    };
    const origin = await serveRoutes({[bundled.paths.profile]: profile});
    const subject = {assistants: {purpose: 'look', token: new Secret('new')}} as const;
    const looking = worded(look(assistantsAccess([]), {origin, subject, learned: {version: '1.2.0'}}));
    await expect(looking).rejects.toMatchObject({
      code: 'auth-no-role',
      // The wizard offers the ways to grant it.
      remedy: expect.stringMatching(/^Ask an administrator/),
    });
    expect(sent).toEqual(['Bearer new']);
    const ids = (subject: object) =>
      checksOf({...addresses, platform: bundled, ...subject} as Subject).map(({id}) => id);
    expect(ids(subject)).toContain('assistants-access');
    expect(ids({})).not.toContain('assistants-access');
  });

  test('is not known on a release without roles, or without a valid token', async () => {
    expect(await at('project:create', 'look', '0.14.0')).toMatchObject({verdict: 'skipped'});
    expect(await at('project:create', 'look', '1.2.0', 1)).toMatchObject({verdict: 'skipped'});
  });
});
