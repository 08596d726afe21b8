import {createHash, timingSafeEqual} from 'node:crypto';
import type {ClientAuthenticationRules, Refusal} from '../../releases/identity-release.ts';
import type {Application, Applications, AuthMethod} from '../applications/applications.ts';
import {OAuthFailure} from './oauth-failure.ts';

/** Finds out which client sends a request. Throws OAuthFailure. */
export type AuthenticateClient = (authorization: string | undefined, form: URLSearchParams) => Application;

/**
 * Finds out which client sends a token or revocation request, and holds it to the one method that it is registered
 * with (RFC 6749 2.3; platform access 4.1 and 5), by the rules of a release.
 */
export const clientAuthentication =
  (applications: Applications, rules: ClientAuthenticationRules): AuthenticateClient =>
  (authorization, form) => {
    const basic = authorization === undefined ? undefined : basicCredentials(authorization, rules);
    const bodyId = form.get('client_id') || undefined;
    const bodySecret = form.get('client_secret') || undefined;
    if (basic && (bodySecret !== undefined || (bodyId !== undefined && bodyId !== basic.id))) {
      throw refused(rules.twoMethods);
    }
    const id = basic?.id ?? bodyId;
    if (id === undefined) throw refused(rules.noClient);

    const invalidCredentials = () => invalidClient(basic !== undefined && rules.challenged);
    const application = applications.byClientId(id);
    if (!application) throw invalidCredentials();

    const method: AuthMethod = basic ? 'client_secret_basic' : bodySecret === undefined ? 'none' : 'client_secret_post';
    if (method === 'none' && application.tokenEndpointAuthMethod !== 'none') throw refused(rules.noSecret);
    // The secret first: whoever does not know it shall not learn the client's method.
    const secret = basic?.secret ?? bodySecret;
    if (application.clientSecret !== undefined && !equal(secret ?? '', application.clientSecret)) {
      throw invalidCredentials();
    }
    if (method !== application.tokenEndpointAuthMethod) throw refused(rules.wrongMethod);
    return application;
  };

export const refused = ({status, error, description}: Refusal) => new OAuthFailure(status, error, description);

/** Basic credentials (RFC 7617 2), whose halves a release form-decodes (RFC 6749 2.3.1) or takes as they are. */
const basicCredentials = (authorization: string, {basic}: ClientAuthenticationRules) => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  if (id === undefined || secret === undefined) throw invalidClient(true);
  if (basic === 'as-sent') return {id, secret};
  try {
    return {id: formDecoded(id), secret: formDecoded(secret)};
  } catch {
    throw invalidClient(true);
  }
};

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

const invalidClient = (challenged: boolean) =>
  new OAuthFailure(
    401,
    'invalid_client',
    'Invalid client credentials',
    challenged ? {'WWW-Authenticate': 'Basic'} : {},
  );

const equal = (given: string, known: string) => timingSafeEqual(digest(given), digest(known));

const digest = (text: string) => createHash('sha256').update(text).digest();
