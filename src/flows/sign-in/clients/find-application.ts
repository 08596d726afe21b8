import {createHash, randomBytes} from 'node:crypto';
import {addressOf} from '../../../domain/address.ts';
import {orByFlag} from '../../../errors/error-row.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Platform} from '../../../platform/platform.ts';
import type {Run} from '../../flow.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The Application ID of the sample application, without a browser: an authorization request of its client is redirected
 * to the sign-in page, and the redirect names the application. The request is not followed, so nothing is signed in.
 *
 * @throws SetupError `auth-application-unknown` where the identity provider does not tell; `network-*`
 */
export const findApplication = async (
  authUrl: string,
  platform: Platform,
  {ports: {http}, signal, tell}: Run,
): Promise<string> => {
  const {clientId, name, redirectUri} = platform.sampleApplication;
  const url = addressOf(authUrl, platform.paths.authorize);
  const challenge = createHash('sha256').update(randomBytes(32)).digest('base64url');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid',
    state: randomBytes(16).toString('base64url'),
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }).toString();
  const reply = await http.send({method: 'GET', url, redirects: 'answer'}, {signal, report: tell});
  const location = reply.header('location') ?? '';
  const id = URL.canParse(location, url.href) ? new URL(location, url).searchParams.get('applicationId') : null;
  if (id && uuid.test(id)) return id;
  const portal = addressOf(authUrl, platform.paths.developerPortal).href;
  throw new SetupError('auth-application-unknown', `${authUrl} doesn’t reveal the Application ID of “${name}”.`, {
    remedy: orByFlag(`Copy it from the developer portal, ${portal}.`, 'Pass it with --application-id.'),
    about: {url: authUrl, flag: 'application-id'},
  });
};
