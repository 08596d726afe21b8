import {type Finding, pass, warn} from '../../../domain/finding.ts';
import {secretMethods, type WantedToken, wantedOf} from '../../../domain/token-request.ts';
import {SetupError} from '../../../errors/errors.ts';
import {operatorsChange, recogniseProvider, settingOf} from '../../../identity-providers/catalogue.ts';
import {cleanText} from '../../../text.ts';
import {findCliClient} from '../../deployment/cli-client.ts';
import type {JsonObject} from '../../http-answers.ts';
import {issuerIn, issuerMismatch, readMetadata, requireEndpoints} from '../../metadata.ts';
import {lookAtClient, unverifiableClient} from '../../sign-in/known-client.ts';
import {oauthClient} from '../../sign-in/oauth-client.ts';
import {askedOf} from '../../sign-in/request-parameters.ts';
import {type Check, get, methodIn, notApplicable, type Scene} from '../check.ts';

export const discovery = (ground: string): Check => ({
  id: 'discovery',
  server: 'identity-provider',
  title: 'Discovery',
  needs: [ground],
  address: ({authUrl}) => authUrl,
  run: async scene => {
    const {subject, learned} = scene;
    const {document, address, ms} = await readMetadata(subject.issuer, url => get(scene, url));
    learned.metadata = document;
    return pass(`${address.href}, ${ms} ms`);
  },
});

const metadataIn = ({learned}: Scene): JsonObject => {
  if (!learned.metadata) throw new Error('No check of the metadata runs without it.');
  return learned.metadata;
};

export const issuer: Check = {
  id: 'issuer',
  server: 'identity-provider',
  title: 'Issuer',
  needs: ['discovery'],
  run: async scene => {
    const {issuer, authUrl} = scene.subject;
    const named = issuerIn(metadataIn(scene), new URL(authUrl));
    if (named === issuer) {
      await requireEndpoints(metadataIn(scene), issuer, scene.ports);
      if (metadataIn(scene).token_endpoint === undefined)
        throw new SetupError('platform-invalid-answer', `${authUrl} names no token_endpoint.`, {about: {url: authUrl}});
      return pass(issuer);
    }
    throw issuerMismatch(issuer, named);
  },
};

export const grants: Check = {
  id: 'grants',
  server: 'identity-provider',
  title: 'Grants, PKCE and client authentication',
  needs: ['issuer'],
  run: async scene => {
    const {authUrl} = scene.subject;
    const signIn = methodIn(scene.subject);
    const metadata = metadataIn(scene);
    const listed = (name: string) =>
      Array.isArray(metadata[name]) ? (metadata[name] as unknown[]).map(String) : undefined;
    const offers = (name: string, wanted: string) => listed(name)?.includes(wanted) ?? true;
    const grants = listed('grant_types_supported');
    const methods = listed('token_endpoint_auth_methods_supported');
    const saw = cleanText(
      [grants?.join(', ') ?? 'grants not listed', methods?.join(', ') ?? 'methods not listed'].join('; '),
    );
    if (signIn !== undefined && signIn !== 'browser') {
      if (!offers('grant_types_supported', 'client_credentials') && !(await hasTokens(scene)))
        throw new SetupError('auth-grant-missing', `${authUrl} does not offer the grant type client_credentials.`, {
          remedy: 'Ask the identity provider’s operators to enable client_credentials for this client.',
          about: {url: authUrl},
        });
      if (!secretMethods.some(method => offers('token_endpoint_auth_methods_supported', method)))
        throw new SetupError(
          'auth-method-missing',
          `${authUrl} offers neither ${secretMethods.join(' nor ')}. This sign-in needs one of them to authenticate.`,
          {about: {url: authUrl}},
        );
      return pass(saw);
    }
    if (!offers('grant_types_supported', 'authorization_code'))
      throw new SetupError('auth-grant-missing', `${authUrl} does not offer the grant type authorization_code.`, {
        about: {url: authUrl},
      });
    const {isPkceUnlisted = false} = recogniseProvider(scene.subject.issuer, metadata);
    const pkce = listed('code_challenge_methods_supported');
    if (pkce !== undefined && !pkce.includes('S256'))
      throw new SetupError('auth-pkce-missing', `${authUrl} does not support PKCE with S256.`, {about: {url: authUrl}});
    if (pkce === undefined && !isPkceUnlisted && !scene.subject.context?.assumesPkce) {
      throw new SetupError('auth-pkce-unlisted', `${authUrl} does not say whether it supports PKCE with S256.`, {
        about: {url: authUrl},
      });
    }
    // A refresh token that was issued proves that the grant works, even if the list does not name it.
    if (!offers('grant_types_supported', 'refresh_token') && !(await hasRefreshToken(scene)))
      return warn(
        saw,
        'The identity provider does not offer the grant refresh_token, so a sign-in may end with its first token.',
        'Ask the identity provider’s operators to enable refresh_token for this client.',
      );
    return pass(saw);
  },
};

const hasRefreshToken = async (scene: Scene): Promise<boolean> => {
  const {context, unsaved} = scene.subject;
  if (!context) return unsaved?.token?.renewable === true;
  return (await keptIn(scene))?.refreshToken !== undefined;
};

/** Whether the identity provider has issued a token to this sign-in. */
const hasTokens = async (scene: Scene): Promise<boolean> => {
  const {context, unsaved} = scene.subject;
  if (!context) return unsaved?.token !== undefined;
  const {accessToken, refreshToken} = (await keptIn(scene)) ?? {};
  return accessToken !== undefined || refreshToken !== undefined;
};

/** Credentials that cannot be read are reported by a check of their own. */
const keptIn = async ({ports, subject: {context}}: Scene) =>
  context && ports.credentials.get(context).catch(() => undefined);

export const redirectUrl: Check = {
  id: 'redirect-url',
  server: 'identity-provider',
  title: 'Client and redirect URL',
  needs: ['grants', 'health-control-plane'],
  address: ({authUrl}) => authUrl,
  run: async (scene): Promise<Finding> => {
    const {subject, machine} = scene;
    const {platform, controlPlaneUrl, issuer, context, unsaved} = subject;
    const other = notApplicable(subject);
    if (other) return other;
    const known = context?.clientId ?? unsaved?.clientId;
    const typed = known === undefined ? {} : {clientId: known};
    const found = await findCliClient({platform, controlPlaneUrl, ...typed}, scene);
    const {clientId} = found;
    const wanted = context ? wantedOf(context) : found;
    const client = await oauthClient({issuer, clientId, authentication: {method: 'none'}}, scene);
    const {redirectUri} = machine;
    const assumesPkce = context?.assumesPkce === true;
    const isUsed = await hasTokens(scene);
    const ask = (what: WantedToken) => {
      const asked = askedOf(what, client, 'person');
      return lookAtClient(client, {issuer, clientId, redirectUri, asked, assumesPkce, isUsed}, scene);
    };
    const saw = `${clientId} with ${redirectUri}`;
    const {provider} = client;
    const remedy = settingOf(provider, 'redirect', {issuer, clientId, redirect: redirectUri});
    let without = '';
    const look = await ask(wanted).catch(error => {
      // A future sign-in goes on without the resource; a saved sign-in is renewed with it.
      const isRefused = error instanceof SetupError && error.code === 'auth-resource-refused';
      if (!isRefused || context?.resource !== undefined) throw error;
      without = `, without the resource ${wanted.resource}, which is not registered`;
      return ask({...wanted, resource: 'none'});
    });
    if (look.tells === 'known') return pass(`${saw}${without}`);
    if (look.tells === 'nothing') return unverifiableClient(remedy);
    const sentence = `${issuer} answered ${look.status} to a sign-in of ${saw}, so it may not know the client or its redirect URL.`;
    return warn(`${saw}: ${look.status}`, sentence, operatorsChange(provider, remedy));
  },
};
