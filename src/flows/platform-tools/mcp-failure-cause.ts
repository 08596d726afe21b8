import {addressOf} from '../../domain/address.ts';
import type {Context} from '../../domain/context.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import {isNewToken, keyIdOf} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {REFUSED_NEW} from '../../errors/shared-advice.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import type {Ports} from '../../ports/ports.ts';
import {requireHealth} from '../http-answers.ts';
import {readMetadata} from '../metadata.ts';
import {isKeyReplaced, replacedKey} from '../signing-keys.ts';
import {missingScope, tokenFault} from './refused-token.ts';

/**
 * Returns what `error` of an MCP server means if its service has just answered. A web page is then not the network's
 * sign-in page, which would answer every request, but something else that is served at that path.
 */
export const inPlaceOfMcp = (error: SetupError, url: URL): SetupError => {
  if (error.code !== 'network-portal' || !error.about.isPage) return error;
  return new SetupError(
    'platform-mcp-failed',
    `${url.href} returned a web page instead of an MCP reply, although ${url.origin} itself answers.`,
    {
      cause: error,
      about: error.about,
      remedy: 'Ask the platform’s operators to check what is served at that path: it is not the MCP server.',
    },
  );
};

/** How long a service may take to say that it is healthy, in milliseconds. */
const TIMEOUT = 2_000;

/**
 * Returns the cause of an assistant’s failed call to an MCP server, in the words of the checks: for a refusal, what the
 * token shows; for a web page, by whether the service itself answers.
 *
 * @param token the token of the call; undefined if there was none
 * @returns `error` itself if nothing more can be found out
 */
export const mcpFailureCause = async (
  error: SetupError,
  {context, server, token}: {readonly context: Context; readonly server: McpServer; readonly token: string | undefined},
  ports: Ports,
  signal: AbortSignal,
): Promise<SetupError> => {
  const {issuer, clientId, identityProvider: provider, controlPlaneUrl, observerUrl} = context;
  if (error.code === 'network-portal') {
    const [service, baseUrl] =
      server === 'control-plane' ? (['control-plane', controlPlaneUrl] as const) : (['observer', observerUrl] as const);
    const {paths} = platformOfDeployment(context);
    // A web page from the identity provider says nothing about the MCP server.
    if (baseUrl === undefined || !isAt(error.about.url, addressOf(baseUrl, paths.mcp))) return error;
    if (!(await isWell(service, addressOf(baseUrl, paths.health), ports, signal))) return error;
    return inPlaceOfMcp(error, addressOf(baseUrl, paths.mcp));
  }
  return token === undefined ? error : refusalCause(error, {token, issuer, clientId, provider}, ports);
};

/** Whether an address is this one, with any query. */
const isAt = (address: string | undefined, url: URL): boolean => {
  if (address === undefined || !URL.canParse(address)) return false;
  const {origin, pathname} = new URL(address);
  return origin === url.origin && pathname === url.pathname;
};

const isWell = async (
  service: 'control-plane' | 'observer',
  url: URL,
  {http}: Ports,
  signal: AbortSignal,
): Promise<boolean> => {
  const request = {method: 'GET', url, timeout: TIMEOUT} as const;
  try {
    requireHealth(service, await http.send(request, {signal, report: () => {}}), url);
    return true;
  } catch {
    return false;
  }
};

/** The token that a server refused, its issuer and its client. */
type Refused = Omit<Parameters<typeof tokenFault>[0], 'resource'>;

/**
 * Returns why a server refused a token, as far as the token and the server's challenge show it: a missing scope,
 * another audience, a token that is not a JWT, or a signing key that was replaced. If none of these shows and the token
 * is new, the remedy says that signing in again cannot help.
 *
 * @returns `error` itself if nothing is known of it
 */
export const refusalCause = async (error: SetupError, refused: Refused, ports: Ports): Promise<SetupError> => {
  const lacking = missingScope(error, refused.token);
  if (lacking) return lacking;
  if (error.code !== 'auth-token-refused') return error;
  const fault = await tokenFault({...refused, resource: error.about.url}, ports);
  // A token for the client alone may have been accepted until now, so a key that was replaced explains more.
  if (!fault || fault.code === 'auth-token-refused') {
    const get = (url: URL) =>
      ports.http.send({method: 'GET', url, timeout: TIMEOUT}, {signal: new AbortController().signal, report: () => {}});
    const {issuer, token} = refused;
    const metadata = async () => (await readMetadata(issuer, get)).document;
    // Another sign-in brings a token that is signed with the new key.
    if (await isKeyReplaced(keyIdOf(token), metadata, get)) return error.saying(` ${replacedKey(issuer)}`);
  }
  if (!fault) {
    if (!isNewToken(refused.token, ports.clock.now())) return error;
    return new SetupError(error.code, error.message, {cause: error, about: error.about, remedy: REFUSED_NEW});
  }
  const {code, message, remedy} = fault;
  return new SetupError(code, `${error.message} ${message}`, {cause: error, about: error.about, remedy});
};
