import {randomBytes} from 'node:crypto';
import {SetupError} from '../errors.ts';
import {addressOf} from '../platform/address.ts';
import type {Platform} from '../platform/platform.ts';
import type {HttpReply} from '../ports/http.ts';
import type {Ports} from '../ports/ports.ts';
import {isSuccess, readJson, reasonIn, statusError, textAt} from './answers.ts';
import {findApplication} from './find-application.ts';
import type {Flow} from './flow.ts';
import {reporting, type Tell} from './reporting.ts';
import {signInAdmin} from './sign-in-admin.ts';

/** Lifetime of the client's access tokens, in seconds (platform access 8). */
const VALIDITY_PERIOD = 3600;

export type CreatedClient = {readonly clientId: string};

type Input = {
  readonly platform: Platform;
  readonly authUrl: string;
  readonly issuer: string;
  readonly username: string;
  readonly applicationId?: string;
  readonly clientId: string;
  /** What to do with a client of that ID that is there already. */
  readonly existing: 'refuse' | 'reset-secret';
};

/**
 * Creates an MCP client at the identity provider (platform access 4.4, steps 1 to 3): application ID, admin sign-in,
 * application. Its secret is generated here, and is in the vault when the flow returns; the administrator's
 * password comes from there.
 *
 * @throws SetupError `auth-client-exists` when there is one and it may not be changed; those of its steps
 */
export const createClient: Flow<Input, CreatedClient> = (input, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const {platform, authUrl, username, clientId} = input;
    const password = ports.vault.get('admin-password');
    if (password === undefined) throw new SetupError('input-required', 'The administrator’s password is missing.');

    const applicationId = input.applicationId ?? (await findApplication(authUrl, platform, ports, signal, tell));
    tell({type: 'application-found', applicationId, by: input.applicationId ? 'given' : 'authorization-redirect'});
    const assertion = await signInAdmin({platform, authUrl, applicationId, username, password}, ports, signal, tell);
    tell({type: 'admin-signed-in', username});

    // Letters and digits only: no identity provider reads them otherwise than they are meant.
    const secret = randomBytes(32).toString('hex');
    await register(input, assertion, secret, ports, signal, tell);
    ports.vault.set('mcp-client-secret', secret);
    tell({type: 'client-created', clientId});
    return {clientId};
  });

const register = async (
  input: Input,
  assertion: string,
  secret: string,
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
) => {
  const {platform, authUrl, clientId, existing} = input;
  const applications = addressOf(authUrl, platform.paths.applications);
  const send = async (method: 'GET' | 'POST' | 'PUT', url: URL, body?: object): Promise<HttpReply> => {
    const headers = {Authorization: `Bearer ${assertion}`, ...(body ? {'Content-Type': 'application/json'} : {})};
    const content = body ? {body: JSON.stringify(body)} : {};
    return ports.http.send(
      {method, url, headers, ...content, bearer: 'ADMIN_TOKEN', redirects: 'same-origin'},
      {signal, report: tell},
    );
  };

  const created = await send('POST', applications, describe(input, secret));
  if (isSuccess(created)) return;
  if (!isDuplicate(created)) throw explain(created, applications);
  if (existing === 'refuse') {
    throw new SetupError('auth-client-exists', `${authUrl} already has a client called ${clientId}.`);
  }

  const url = addressOf(applications.href, `/${await idOf(clientId, await send('GET', applications), applications)}`);
  const changed = await send('PUT', url, describe(input, secret));
  if (!isSuccess(changed)) throw explain(changed, url);
};

/** The application as it is sent (platform access 2.1). */
const describe = ({clientId, issuer}: Input, secret: string) => ({
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
        token_endpoint_auth_method: 'client_secret_basic',
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
    remedy: 'Choose another client ID: --client-id NAME.',
  });
};

const explain = (reply: HttpReply, url: URL): SetupError =>
  reply.status === 401 || reply.status === 403
    ? new SetupError('auth-permission-missing', `${url.href} answered ${reply.status} (${reasonIn(reply)}).`, {
        remedy: 'Sign in as an administrator: this account may not manage applications.',
      })
    : statusError(reply, url);
