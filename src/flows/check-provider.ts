import {type Finding, type Outcome, pass} from '../domain/finding.ts';
import type {Secret} from '../domain/secret.ts';
import {secretMethods, type WantedToken} from '../domain/token-request.ts';
import {payloadOf} from '../domain/tokens.ts';
import {remedyOf} from '../errors/describe-error.ts';
import {familyOf, SetupError, toSetupError} from '../errors/errors.ts';
import {recogniseProvider, settingOf} from '../identity-providers/catalogue.ts';
import {fill, type IdentityProvider} from '../identity-providers/identity-provider.ts';
import {SETUP} from '../setup-command.ts';
import {cleanText} from '../text.ts';
import {outcomeOf} from './diagnosis/outcome.ts';
import type {Flow, Run} from './flow.ts';
import {obtainToken} from './sign-in/client-credentials.ts';
import {offersDevice} from './sign-in/device-sign-in.ts';
import {clientOfNobody, lookAtClient, unverifiableClient} from './sign-in/known-client.ts';
import {type OAuthClient, oauthClient} from './sign-in/oauth-client.ts';
import {askedOf} from './sign-in/request-parameters.ts';
import {stoppable} from './stoppable.ts';

export type ProviderToCheck = {
  readonly issuer: string;
  /** The client with which people sign in. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly wanted: WantedToken;
  /** A service account, if there is one to try. */
  readonly service?: {readonly clientId: string; readonly secret: Secret};
};

/** The provider to check, with the client that the first check created for the checks after it. */
type Scene = ProviderToCheck & {readonly client: OAuthClient; readonly run: Run};

type Requirement = {readonly id: string; readonly title: string; readonly look: (scene: Scene) => Promise<Finding>};

/**
 * Tries what the platform needs from an identity provider (platform access 5.4 and 5.5), as far as that goes without a
 * person. Returns one outcome for each requirement, with what to change and where. A requirement that only a sign-in
 * shows is skipped, and its outcome says so.
 */
export const checkProvider: Flow<ProviderToCheck, readonly Outcome[]> = (input, run) =>
  stoppable(run, async run => {
    const {ports, signal} = run;
    const {issuer, clientId} = input;
    const started = ports.clock.monotonic();
    const ms = () => Math.round(ports.clock.monotonic() - started);
    let client: OAuthClient;
    try {
      client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, run);
    } catch (error) {
      signal.throwIfAborted();
      return [outcomeOf({...metadata, ms: ms()}, failing(error))];
    }
    const outcomes: Outcome[] = [outcomeOf({...metadata, ms: ms()}, pass(`${issuer}, ${kindOf(client)}`))];
    for (const {id, title, look} of requirements) {
      const since = ports.clock.monotonic();
      const found = await look({...input, client, run}).catch(error => {
        signal.throwIfAborted();
        return failing(error);
      });
      outcomes.push(outcomeOf({id, title, ms: Math.round(ports.clock.monotonic() - since)}, found));
    }
    return outcomes;
  });

const metadata = {id: 'discovery', title: 'Metadata'} as const;

const kindOf = ({provider}: OAuthClient) => (provider.id === 'standard' ? 'of an unknown kind' : provider.name);

const failing = (error: unknown): Finding => {
  const failure = toSetupError(error);
  const {code, message} = failure;
  return {verdict: 'fail', saw: message, sentence: message, remedy: remedyOf(failure), code};
};

/** The finding for a requirement that shows only once a person has signed in. */
const unseen = (saw: string, remedy: string): Finding => ({verdict: 'skipped', saw, remedy});

const listed = ({client}: Scene, name: 'grant_types_supported' | 'token_endpoint_auth_methods_supported') =>
  client.configuration.serverMetadata()[name];

/** The values for the placeholders of a sentence, about the client for people or about the service account. */
const values = ({issuer, clientId, redirectUri, wanted, service}: Scene) => ({
  issuer,
  clientId,
  redirect: redirectUri,
  scopes: wanted.scopes.join(' '),
  ...((wanted.audience ?? wanted.resource) ? {audience: wanted.audience ?? wanted.resource ?? ''} : {}),
  ...(service ? {serviceClientId: service.clientId} : {}),
});

const authorization: Requirement = {
  id: 'authorization',
  title: 'Signing in as a person',
  look: async scene => {
    const {client, issuer, clientId, redirectUri, wanted, run} = scene;
    const asked = askedOf(wanted, client, 'person');
    // The PKCE requirement reports a method that is not listed.
    const request = {issuer, clientId, redirectUri, asked, assumesPkce: true} as const;
    const look = await lookAtClient(client, request, run);
    const remedy = settingOf(client.provider, 'redirect', values(scene));
    if (look.tells === 'known') return pass(`${clientId} with ${redirectUri}`);
    if (look.tells === 'nothing') return unverifiableClient(remedy);
    const sentence = `${issuer} answers ${look.status} to a sign-in of ${clientId} with ${redirectUri}.`;
    return {verdict: 'fail', saw: String(look.status), sentence, remedy, code: 'auth-redirect-refused'};
  },
};

/** Exchanges a code that was never issued. An identity provider refuses the code if it has accepted the client. */
const tradeNothing = ({library, attempt}: OAuthClient, redirectUri: string) =>
  attempt(configuration =>
    library.genericGrantRequest(configuration, 'authorization_code', {
      code: 'nothing-that-was-given',
      redirect_uri: redirectUri,
      code_verifier: library.randomPKCECodeVerifier(),
    }),
  );

const pkce: Requirement = {
  id: 'pkce',
  title: 'PKCE with S256',
  look: async ({client}) => {
    const {provider} = client;
    const {code_challenge_methods_supported: methods} = client.configuration.serverMetadata();
    if (methods !== undefined) return pass(methods.map(cleanText).join(', '));
    if (provider.isPkceUnlisted) return pass(`not listed, and supported by ${provider.name}`);
    return unseen(
      'it does not say',
      'Ask its operators whether it supports PKCE with S256. If it does, sign in with --assume-pkce.',
    );
  },
};

const publicClient: Requirement = {
  id: 'public-client',
  title: 'Client without a secret',
  look: async scene => {
    const {client, clientId, redirectUri} = scene;
    try {
      await tradeNothing(client, redirectUri);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      if (error.code === 'auth-grant-refused') {
        const nobody = await clientOfNobody(scene.issuer, scene.run);
        const isTaken = await tradeNothing(nobody.client, redirectUri).then(
          () => true,
          caught => {
            scene.run.signal.throwIfAborted();
            return caught instanceof SetupError && caught.code === 'auth-grant-refused';
          },
        );
        if (!isTaken) return pass(`${clientId} is public`);
        const remedy = settingOf(client.provider, 'confidential', values(scene));
        return unseen(
          'not checked: the identity provider checks the code before the client',
          `If it is refused: ${remedy}`,
        );
      }
      // This endpoint would refuse the sign-in for the same reason.
      if (familyOf(error.code) === 'auth') throw error;
      return unseen('it does not say', settingOf(client.provider, 'confidential', values(scene)));
    }
    return unseen('it does not say', settingOf(client.provider, 'confidential', values(scene)));
  },
};

const refreshTokens: Requirement = {
  id: 'refresh-tokens',
  title: 'Refresh tokens',
  look: async scene => {
    const {client} = scene;
    const {refreshToken} = client.provider;
    const setting = fill(refreshToken.setting ?? settingOf(client.provider, 'grant', values(scene)), values(scene));
    const grants = listed(scene, 'grant_types_supported');
    if (grants !== undefined && !grants.includes('refresh_token')) {
      // The list in the metadata can be wrong, so the endpoint is asked.
      if (!(await refusesGrant(scene))) {
        return unseen(
          'not checked: the metadata does not list them, but the token endpoint does not refuse them; only a sign-in shows whether the client gets one',
          setting,
        );
      }
      const sentence = `${scene.issuer} does not offer the grant type refresh_token.`;
      return {verdict: 'fail', saw: 'not offered', sentence, remedy: setting, code: 'auth-grant-missing'};
    }
    return unseen('not checked: only a sign-in shows whether the client gets one', `If it gets none: ${setting}`);
  },
};

/** Whether the token endpoint refuses refresh tokens altogether, and not only one that was never issued. */
const refusesGrant = async ({client, run}: Scene): Promise<boolean> => {
  const request = (configuration: OAuthClient['configuration']) =>
    client.library.refreshTokenGrant(configuration, 'nothing-that-was-given');
  return client.attempt(request).then(
    () => false,
    error => {
      run.signal.throwIfAborted();
      return error instanceof SetupError && error.code === 'auth-grant-missing';
    },
  );
};

const device: Requirement = {
  id: 'device',
  title: 'Signing in with a code',
  look: async scene => {
    const {client, clientId, wanted, run} = scene;
    const isOffered = await offersDevice(client, {clientId, asked: askedOf(wanted, client, 'person')}, run);
    return isOffered
      ? pass('offered')
      : unseen(
          'not offered; only machines without a browser need it',
          `If you need it: ${settingOf(client.provider, 'device', values(scene))}`,
        );
  },
};

const serviceAccounts: Requirement = {
  id: 'service-account',
  title: 'Signing in as a service account',
  look: async scene => {
    const {client, issuer, wanted, service, run} = scene;
    const grants = listed(scene, 'grant_types_supported');
    const remedy = settingOf(client.provider, 'service-account', {
      ...values(scene),
      clientId: service?.clientId ?? 'the client',
    });
    if (!service && grants !== undefined && !grants.includes('client_credentials')) {
      const sentence = `${issuer} does not list the grant type client_credentials, so service accounts may not be able to sign in.`;
      return {verdict: 'warning', saw: 'not listed', sentence, remedy};
    }
    const methods = listed(scene, 'token_endpoint_auth_methods_supported');
    if (methods !== undefined && !secretMethods.some(method => methods.includes(method))) {
      const neither = secretMethods.join(' nor ');
      const sentence = `${issuer} lists neither ${neither}. A service account needs one of them to authenticate.`;
      return {verdict: 'fail', saw: `neither ${neither}`, sentence, remedy, code: 'auth-method-missing'};
    }
    if (!service)
      return unseen(
        'not checked; to try one, pass --client-id and --client-secret-stdin',
        `If it is refused: ${remedy}`,
      );
    const {access} = await obtainToken({issuer, ...service, method: 'service-account', wanted}, run);
    return ofToken(access.reveal(), scene);
  },
};

/** Returns what a token of a service account shows; a person's token would show the same. */
const ofToken = (token: string, scene: Scene): Finding => {
  const {client, wanted, service} = scene;
  const known = {...values(scene), ...(service ? {clientId: service.clientId} : {})};
  const claims = payloadOf(token);
  if (!claims) {
    const sentence = `${scene.issuer} issues access tokens that are not JWTs.`;
    const remedy = settingOf(client.provider, 'opaque', known);
    return {verdict: 'fail', saw: 'an opaque token', sentence, remedy, code: 'auth-token-opaque'};
  }
  const audience = [claims.aud].flat().filter(one => typeof one === 'string');
  const target = wanted.audience ?? wanted.resource;
  const named = cleanText(audience.join(', '));
  const saw = audience.length === 0 ? 'a JWT that names no audience' : `a JWT for ${named}`;
  if (target === undefined || target === 'none' || audience.includes(target)) return pass(saw);
  const shown = audience.length === 0 ? 'names no audience' : `is for ${named}`;
  return {
    verdict: 'warning',
    saw,
    sentence: `The token ${shown}, but the platform identifies itself as ${target}. Whether the platform accepts it depends on its configuration.`,
    remedy: settingOf(client.provider, 'audience', known),
  };
};

const jwts: Requirement = {
  id: 'jwt',
  title: 'Access tokens as JWTs',
  look: async scene => {
    const {provider} = scene.client;
    const remedy = settingOf(provider, 'opaque', values(scene));
    if (provider.isAlwaysJwt) return pass(`always, at ${provider.name}`);
    if (provider.unfit === undefined)
      return unseen(`not checked; once signed in, ${SETUP} doctor looks at a token`, `If they are not: ${remedy}`);
    return {verdict: 'fail', saw: provider.unfit, sentence: `${provider.unfit}.`, remedy, code: 'auth-token-opaque'};
  },
};

const requirements: readonly Requirement[] = [
  authorization,
  pkce,
  publicClient,
  refreshTokens,
  device,
  serviceAccounts,
  jwts,
];

/**
 * Returns the kind of identity provider at an issuer: by its metadata, or by its address alone if it cannot be asked.
 */
export const identifyProvider: Flow<{readonly issuer: string}, IdentityProvider> = ({issuer}, run) =>
  stoppable(run, async run => {
    const {signal} = run;
    try {
      const authentication = {method: 'none'} as const;
      return (await oauthClient({issuer, clientId: 'setup', authentication, fromKept: true}, run)).provider;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      return recogniseProvider(issuer);
    }
  });
