import {createHash, randomBytes} from 'node:crypto';
import {addressOf} from '../../domain/address.ts';
import type {Credentials} from '../../domain/credentials.ts';
import {Secret} from '../../domain/secret.ts';
import {hasUsableSecret} from '../../domain/sign-in-lifecycle.ts';
import {type ErrorCode, familyOf, SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import {preparedClientsOf} from '../../platform/recognise.ts';
import type {Flow, Run} from '../flow.ts';
import {requireOwnFiles} from '../require-own-files.ts';
import {stoppable} from '../stoppable.ts';
import {requestToken} from './client-credentials.ts';
import {recipeClosed, registerClient, signInAdmin} from './register-client.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Finds the Application ID of the sample application without a browser: the identity provider redirects an
 * authorization request of its client to the sign-in page, and that address names the application. The redirect is not
 * followed, so nobody is signed in.
 *
 * @throws SetupError `auth-application-unknown` if the identity provider does not reveal the ID; `network-*`
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
    remedy: {do: `Copy it from the developer portal, ${portal}.`, flag: 'Pass it with --application-id.'},
    about: {url: authUrl, flag: 'application-id'},
  });
};

export type CreatedClient = {
  readonly clientId: string;
  readonly secret: Secret;
  /** True if the client existed before, and has got a new secret. */
  readonly isReset?: true;
};

type Key = {readonly issuer: string; readonly clientId: string};

type Input = Key & {
  readonly platform: Platform;
  readonly authUrl: string;
  readonly username: string;
  /** The administrator's password; absent if none was given. */
  readonly password?: Secret | undefined;
  readonly applicationId?: string;
  /** How to treat an existing client with this ID. */
  readonly existing: 'refuse' | 'reset-secret';
  /** The control plane's release, if known. */
  readonly version?: string;
  /** True if the identity provider is known to refuse this way of creating a client. */
  readonly withoutRecipe?: true;
};

/**
 * Finds an MCP client of this ID that an earlier run has stored. That run may have stopped after it had created the
 * client: then there is nothing to create. A client whose secret the identity provider has refused counts as none.
 */
export const findSavedClient: Flow<Key, CreatedClient | undefined> = ({issuer, clientId}, run) =>
  stoppable(run, async ({ports}) => {
    // Credentials that cannot be read count as absent; the sign-in reports what is wrong with them.
    const stored = await ports.credentials.get({issuer, clientId}).catch(() => undefined);
    if (!hasUsableSecret(stored)) return undefined;
    return {clientId, secret: new Secret(stored.clientSecret)};
  });

/**
 * Creates an MCP client at the identity provider (platform access 4.4, steps 1 to 3): application ID, admin sign-in,
 * application. Generates the secret here and stores it before the request, so that the next run can go on with the
 * client even if the answer is lost.
 *
 * @throws SetupError `auth-client-exists` if the client exists and may not be changed; `auth-recipe-closed`; the errors
 *   of the steps
 */
export const createClient: Flow<Input, CreatedClient> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {tell} = run;
    const {platform, authUrl, username, clientId, password} = input;
    if (input.withoutRecipe) {
      throw withPrepared(recipeClosed(addressOf(authUrl, platform.paths.flowExecute), ''), input);
    }
    if (password === undefined)
      throw new SetupError('input-required', 'The administrator’s password is missing.', {
        about: {flag: 'admin-password-stdin'},
      });
    // A client is useless if its secret cannot be stored.
    await requireOwnFiles(ports);
    try {
      const applicationId = input.applicationId ?? (await findApplication(authUrl, platform, run));
      tell({type: 'application-found', applicationId, by: input.applicationId ? 'given' : 'authorization-redirect'});
      const assertion = await signInAdmin(
        {platform, authUrl, applicationId, username, password: password.reveal()},
        run,
      );
      tell({type: 'admin-signed-in', username});
      const {secret, ...how} = await create(input, assertion, run);
      tell({type: 'client-created', clientId, ...how});
      return {clientId, secret: new Secret(secret), ...how};
    } catch (error) {
      throw error instanceof SetupError && error.code === 'auth-recipe-closed' ? withPrepared(error, input) : error;
    }
  });

/** Returns the error with a remedy that names the client that the installation created, if there is such a client. */
const withPrepared = (error: SetupError, {platform, version}: Input): SetupError => {
  const [prepared] = preparedClientsOf(platform, version);
  if (prepared === undefined) return error;
  const remedy = `Sign in with the MCP client that the installation created, ${prepared}, or ask an administrator to create a confidential client with client_credentials and client_secret_basic.`;
  return new SetupError(error.code, error.message, {cause: error, remedy, about: error.about});
};

type Registered = {readonly secret: string; readonly isReset?: true};

const create = async (input: Input, assertion: string, run: Run): Promise<Registered> => {
  const {ports} = run;
  const {credentials} = ports;
  const {issuer, clientId} = input;
  const key = {issuer, clientId};
  let earlier: string | undefined;
  // Only letters and digits: every identity provider reads them in the same way.
  let secret = randomBytes(32).toString('hex');
  await credentials.update(key, async stored => {
    // An earlier run may have created the client without getting the answer. The client then has that run's secret.
    earlier = stored?.createdSecret;
    secret = earlier ?? secret;
    return {...key, ...stored, createdSecret: secret};
  });
  const settle = (change: (stored: Omit<Credentials, 'createdSecret'>) => Credentials | undefined) =>
    credentials.update(key, async stored => {
      const {createdSecret: _, ...rest}: Credentials = stored ?? key;
      return change(rest);
    });
  // What is known of the former secret, such as that it was refused, does not apply to the new one.
  const keep = () =>
    settle(({accessToken: _, expiresAt: __, retryAt: ___, failure: ____, refused: _____, ...stored}) => ({
      ...stored,
      clientSecret: secret,
    }));
  let isReset = false;
  try {
    isReset = (await registerClient({...input, secret, assertion}, run)) === 'reset';
  } catch (error) {
    const isOurs = earlier !== undefined && isCode(error, 'auth-client-exists');
    if (isOurs && (await works({...key, secret}, run))) {
      await keep();
      return {secret};
    }
    // A refusal means that nothing was created. If the answer was lost, the client may exist: the secret stays.
    if (error instanceof SetupError && !mayBeCreated(error))
      await settle(stored =>
        stored.clientSecret === undefined && stored.accessToken === undefined ? undefined : stored,
      );
    throw error;
  }
  // Outside of the block above: a secret that cannot be settled stays as it was stored before the request.
  await keep();
  return {secret, ...(isReset ? {isReset: true} : {})};
};

const works = async (client: Key & {readonly secret: string}, run: Run) => {
  try {
    await requestToken({...client, secret: new Secret(client.secret), method: 'mcp-client'}, run);
    return true;
  } catch (error) {
    if (isCode(error, 'auth-client-refused')) return false;
    throw error;
  }
};

/** The codes of answers that may come from a gateway or a server that failed after it had created the client. */
const lostBehind: ReadonlySet<ErrorCode> = new Set(['platform-error', 'platform-unhealthy', 'platform-invalid-answer']);

const mayBeCreated = ({code}: SetupError): boolean =>
  familyOf(code) === 'network' || code === 'cancelled' || lostBehind.has(code);

const isCode = (error: unknown, code: SetupError['code']) => error instanceof SetupError && error.code === code;
