import {addressOf} from '../../domain/address.ts';
import {secretMethodOf} from '../../domain/token-request.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {HttpReply} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Run} from '../flow.ts';
import {isSuccess, type JsonObject, readJson, reasonIn, statusError, textAt} from '../http-answers.ts';
import {checkTokens} from './token-response.ts';

type AdminInput = {
  readonly platform: Platform;
  readonly authUrl: string;
  readonly applicationId: string;
  readonly username: string;
  readonly password: string;
};

/**
 * Signs an administrator in through the flow execution endpoint and returns the assertion, the admin token (platform
 * access 2.2 and 4.4, step 2). The password is sent to the identity provider alone, and stored nowhere. A success
 * status does not mean a sign-in: a wrong password is answered with 200.
 *
 * @throws SetupError `auth-admin-refused`, `auth-application-unknown`, `auth-recipe-closed`, `platform-*`, `network-*`
 */
export const signInAdmin = async (input: AdminInput, {ports: {http}, signal, tell}: Run): Promise<string> => {
  const {authUrl, applicationId, username, password, platform} = input;
  const url = addressOf(authUrl, platform.paths.flowExecute);
  const inputs = {username, password, requested_permissions: 'system'};
  const execute = async (body: object): Promise<JsonObject> => {
    const headers = {'Content-Type': 'application/json'};
    const reply = await http.send({method: 'POST', url, headers, body: JSON.stringify(body)}, {signal, report: tell});
    if (isSuccess(reply)) return readJson(reply, url);
    if (reply.status === 400 && reply.body.includes('FES-1003')) {
      throw new SetupError('auth-application-unknown', `${url.href} does not know the application ${applicationId}.`, {
        about: {url: url.href, flag: 'application-id'},
      });
    }
    if (closedFlow.test(reply.body)) throw recipeClosed(url, reasonIn(reply));
    if (reply.status === 403)
      throw new SetupError('auth-admin-refused', `${url.href} refuses this flow: ${reasonIn(reply)}.`, {
        about: {url: url.href},
      });
    throw statusError(reply, url);
  };

  let answer = await execute({applicationId, flowType: 'AUTHENTICATION', inputs});
  const flowId = textAt(answer, 'flowId');
  if (isAskingAgain(answer) && flowId !== undefined) {
    // Some flows take their inputs only in a second step, by the action that the first answer names.
    answer = await execute({flowId, action: firstAction(answer), inputs});
  }

  const assertion = textAt(answer, 'assertion');
  if (assertion !== undefined) {
    checkTokens({accessToken: assertion}, url);
    return assertion;
  }
  const failure = failureIn(answer);
  if (failure !== undefined) {
    throw new SetupError('auth-admin-refused', `${authUrl} refused to sign in ${username}: ${cleanText(failure)}.`, {
      about: {url: authUrl},
    });
  }
  throw new SetupError('auth-admin-refused', `${authUrl} asks for more than a username and a password.`, {
    remedy: 'Use an existing MCP client, or ask an administrator to create one.',
    about: {url: authUrl},
  });
};

/**
 * The codes with which newer identity providers refuse a flow that a program begins by itself: not for this kind of
 * application (1010, 1016), not without a secret of the flow (1011, 1012), not for a caller that is not signed in
 * (1017).
 */
const closedFlow = /"FES-10(1[0-2]|1[67])"/;

/** The error when the identity provider refuses the documented way to create a client. @param reason its own words */
export const recipeClosed = (url: URL, reason: string): SetupError =>
  new SetupError(
    'auth-recipe-closed',
    `${url.href} doesn’t allow the documented way to create a client${reason === '' ? '' : ` (${reason})`}.`,
    {about: {url: url.href}},
  );

const isAskingAgain = (answer: JsonObject) =>
  answer.flowStatus === 'INCOMPLETE' && answer.failureReason === undefined && answer.assertion === undefined;

/**
 * Returns why a flow did not go on: a sentence, or in later releases an error with a translation key and an English
 * text.
 */
const failureIn = (answer: JsonObject): string | undefined => {
  const reason = textAt(answer, 'failureReason');
  if (reason !== undefined) return reason;
  const {message} = (answer.error ?? {}) as {message?: unknown};
  const words = typeof message === 'object' && message !== null ? (message as JsonObject).defaultValue : message;
  return typeof words === 'string' ? words : undefined;
};

const firstAction = ({data}: JsonObject): string | undefined => {
  const [action] = (data as {actions?: {ref?: string}[]} | undefined)?.actions ?? [];
  return action?.ref;
};

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
  /** How to treat an existing client with this ID. */
  readonly existing: 'refuse' | 'reset-secret';
};

/**
 * Registers an MCP client with this secret (platform access 2.1 and 4.4, step 3). If the client exists, sets its secret
 * and settings, unless `existing` refuses that.
 *
 * @returns whether the client was created, or existed and has the secret now
 * @throws SetupError `auth-client-exists`, `auth-permission-missing`, `auth-recipe-closed`, `platform-*`, `network-*`
 */
export const registerClient = async (input: Input, {ports, signal, tell}: Run): Promise<'created' | 'reset'> => {
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
  if (isSuccess(created)) return 'created';
  if (!isDuplicate(created)) throw explain(created, applications);
  if (existing === 'refuse') {
    throw new SetupError('auth-client-exists', `${authUrl} already has a client called ${clientId}.`, {
      about: {url: authUrl, flag: 'client-id'},
    });
  }

  const url = addressOf(applications.href, `/${await idOf(clientId, await send('GET', applications), applications)}`);
  const changed = await send('PUT', url, describe(input));
  if (!isSuccess(changed)) throw explain(changed, url);
  return 'reset';
};

/** The application in the form of the request (platform access 2.1). */
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

/** True if the name or the client ID is taken. */
const isDuplicate = (reply: HttpReply) => reply.status === 409 || /"APP-102[01]"/.test(reply.body);

const idOf = async (clientId: string, reply: HttpReply, url: URL): Promise<string> => {
  if (!isSuccess(reply)) throw explain(reply, url);
  const {applications} = readJson(reply, url);
  const list = Array.isArray(applications) ? applications : [];
  const id = textAt(list.find(one => one?.client_id === clientId) ?? {}, 'id');
  if (id !== undefined) return encodeURIComponent(id);
  // The name belongs to another client, so there is no client here whose secret could be set.
  throw new SetupError('auth-client-exists', `An application called ${clientId} exists, with another client ID.`, {
    remedy: {do: 'Choose another client ID.', flag: 'Pass it with --client-id NAME.'},
    about: {flag: 'client-id', isNameTaken: true},
  });
};

/**
 * Returns the error for a failed answer. A provider that takes applications in another shape refuses the documented way
 * (APP-1018).
 */
const explain = (reply: HttpReply, url: URL): SetupError =>
  reply.body.includes('"APP-1018"')
    ? recipeClosed(url, reasonIn(reply))
    : reply.status === 401 || reply.status === 403
      ? new SetupError('auth-permission-missing', `${url.href} answered ${reply.status} (${reasonIn(reply)}).`, {
          remedy: 'Sign in as an administrator: this account is not allowed to manage applications.',
          about: {url: url.href},
        })
      : statusError(reply, url);
