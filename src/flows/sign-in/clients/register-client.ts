import {addressOf} from '../../../domain/address.ts';
import {secretMethodOf} from '../../../domain/token-request.ts';
import {orByFlag} from '../../../errors/error-row.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Platform} from '../../../platform/platform.ts';
import type {HttpReply} from '../../../ports/ports.ts';
import {isSuccess, readJson, reasonIn, statusError, textAt} from '../../answers.ts';
import type {Run} from '../../flow.ts';
import {recipeClosed} from './sign-in-admin.ts';

/** Lifetime of the client's access tokens, in seconds (platform access 8). */
const VALIDITY_PERIOD = 3600;

type Input = {
  readonly platform: Platform;
  readonly authUrl: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  /** The administrator's token. */
  readonly assertion: string;
  /** What to do with a client of that ID that is there already. */
  readonly existing: 'refuse' | 'reset-secret';
};

/**
 * Registers an MCP client with this secret (platform access 2.1 and 4.4, step 3), or sets the secret of one that is there.
 *
 * @throws SetupError `auth-client-exists`, `auth-permission-missing`, `auth-recipe-closed`, `platform-*`, `network-*`
 */
export const registerClient = async (input: Input, {ports, signal, tell}: Run): Promise<void> => {
  const {platform, authUrl, clientId, existing, assertion} = input;
  const applications = addressOf(authUrl, platform.paths.applications);
  const send = async (method: 'GET' | 'POST' | 'PUT', url: URL, body?: object): Promise<HttpReply> => {
    const headers = {Authorization: `Bearer ${assertion}`, ...(body ? {'Content-Type': 'application/json'} : {})};
    const content = body ? {body: JSON.stringify(body)} : {};
    return ports.http.send(
      {method, url, headers, ...content, bearer: 'ADMIN_TOKEN', redirects: 'same-origin'},
      {signal, report: tell},
    );
  };

  const created = await send('POST', applications, describe(input));
  if (isSuccess(created)) return;
  if (!isDuplicate(created)) throw explain(created, applications);
  if (existing === 'refuse') {
    throw new SetupError('auth-client-exists', `${authUrl} already has a client called ${clientId}.`, {
      about: {url: authUrl, flag: 'client-id'},
    });
  }

  const url = addressOf(applications.href, `/${await idOf(clientId, await send('GET', applications), applications)}`);
  const changed = await send('PUT', url, describe(input));
  if (!isSuccess(changed)) throw explain(changed, url);
};

/** The application as it is sent (platform access 2.1). */
const describe = ({clientId, issuer, secret}: Input) => ({
  name: clientId,
  description: 'Lets AI assistants use the MCP servers of the platform.',
  auth_flow_graph_id: 'auth_flow_config_basic',
  inbound_auth_config: [
    {
      type: 'oauth2',
      config: {
        client_id: clientId,
        client_secret: secret,
        grant_types: ['client_credentials'],
        token_endpoint_auth_method: secretMethodOf('mcp-client'),
        token: {issuer, access_token: {validity_period: VALIDITY_PERIOD}},
      },
    },
  ],
});

/** The name is taken, or the client ID is. */
const isDuplicate = (reply: HttpReply) => reply.status === 409 || /"APP-102[01]"/.test(reply.body);

const idOf = async (clientId: string, reply: HttpReply, url: URL): Promise<string> => {
  if (!isSuccess(reply)) throw explain(reply, url);
  const {applications} = readJson(reply, url);
  const list = Array.isArray(applications) ? applications : [];
  const id = textAt(list.find(one => one?.client_id === clientId) ?? {}, 'id');
  if (id !== undefined) return encodeURIComponent(id);
  // The name is another client's, so there is nothing here whose secret could be set.
  throw new SetupError('auth-client-exists', `An application called ${clientId} exists, with another client ID.`, {
    remedy: orByFlag('Choose another client ID.', 'Pass it with --client-id NAME.'),
    about: {flag: 'client-id'},
  });
};

/** An identity provider that takes applications in another shape has closed the documented way (APP-1018). */
const explain = (reply: HttpReply, url: URL): SetupError =>
  reply.body.includes('"APP-1018"')
    ? recipeClosed(url, reasonIn(reply))
    : reply.status === 401 || reply.status === 403
      ? new SetupError('auth-permission-missing', `${url.href} answered ${reply.status} (${reasonIn(reply)}).`, {
          remedy: 'Sign in as an administrator: this account is not allowed to manage applications.',
          about: {url: url.href},
        })
      : statusError(reply, url);
