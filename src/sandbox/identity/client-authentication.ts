import {createHash, timingSafeEqual} from 'node:crypto';
import type {Application, Applications, AuthMethod} from './applications.ts';
import {OAuthFailure} from './oauth-failure.ts';

/**
 * Finds out which client sends a token or revocation request, and holds it to the one method that it is registered
 * with (RFC 6749 2.3; platform access 4.1 and 5). Throws OAuthFailure.
 */
export const authenticateClient = (
  authorization: string | undefined,
  form: URLSearchParams,
  applications: Applications,
): Application => {
  const basic = authorization === undefined ? undefined : basicCredentials(authorization);
  const bodyId = form.get('client_id') || undefined;
  const bodySecret = form.get('client_secret') || undefined;
  if (basic && (bodySecret !== undefined || (bodyId !== undefined && bodyId !== basic.id))) {
    throw new OAuthFailure(400, 'invalid_request', 'Authorization information is provided in both header and body');
  }
  const id = basic?.id ?? bodyId;
  if (id === undefined) throw new OAuthFailure(401, 'invalid_client', 'Missing client_id parameter');

  const application = applications.byClientId(id);
  if (!application) throw invalidCredentials();

  const method: AuthMethod = basic ? 'client_secret_basic' : bodySecret === undefined ? 'none' : 'client_secret_post';
  if (method === 'none' && application.tokenEndpointAuthMethod !== 'none') {
    throw new OAuthFailure(401, 'invalid_client', 'Missing client_secret parameter');
  }
  // The secret first: whoever does not know it shall not learn the client's method.
  const secret = basic?.secret ?? bodySecret;
  if (application.clientSecret !== undefined && !equal(secret ?? '', application.clientSecret)) {
    throw invalidCredentials();
  }
  if (method !== application.tokenEndpointAuthMethod) {
    throw new OAuthFailure(
      401,
      'unauthorized_client',
      'Client is not allowed to use the specified token endpoint authentication method',
    );
  }
  return application;
};

/** Basic credentials, each form-urlencoded before they were joined (RFC 6749 2.3.1, RFC 7617 2). */
const basicCredentials = (authorization: string) => {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString('utf8')) ?? [];
  try {
    if (id === undefined || secret === undefined) throw invalidCredentials();
    return {id: formDecoded(id), secret: formDecoded(secret)};
  } catch {
    throw new OAuthFailure(401, 'invalid_client', 'Invalid client credentials', {'WWW-Authenticate': 'Basic'});
  }
};

const formDecoded = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

const invalidCredentials = () => new OAuthFailure(401, 'invalid_client', 'Invalid client credentials');

const equal = (given: string, known: string) => timingSafeEqual(digest(given), digest(known));

const digest = (text: string) => createHash('sha256').update(text).digest();
