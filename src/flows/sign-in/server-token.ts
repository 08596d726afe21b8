import {addressOf} from '../../domain/address.ts';
import type {Deployment} from '../../domain/context.ts';
import {type McpServer, serversOf} from '../../domain/mcp-servers.ts';
import type {Secret} from '../../domain/secret.ts';
import type {ClientMethod, WantedToken} from '../../domain/token-request.ts';
import {inspectToken, type RunTokens, type Token, tokenFor} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Flow, Run} from '../flow.ts';
import {isSuccess, readJson} from '../http-answers.ts';
import {challengedMetadata} from '../metadata.ts';
import {listTools} from '../platform-tools/list-tools.ts';
import {stoppable} from '../stoppable.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';
import {obtainToken} from './client-credentials.ts';
import {type PersonSignIn, signInBy} from './sign-in-person.ts';

/** A server, and the resource for which its tokens have to be requested (RFC 8707). */
export type OwnResource = {readonly server: McpServer; readonly resource: string};

type ResourceInput = {
  readonly platform: Platform;
  readonly deployment: Deployment;
  readonly tokens: RunTokens;
  /** The resource for which the token of this run was requested. */
  readonly asked?: string;
  /** The servers for which a token of their own can still be requested. */
  readonly among: readonly McpServer[];
};

/**
 * Finds out why a server has refused the token of this run: returns the first server that refuses it, if that server
 * names a resource of its own (RFC 9728 3.3) that the token is not for. Runs only after a refusal, so a platform whose
 * servers accept the same token is not asked for its resources.
 *
 * @returns undefined if that is not the reason, or if another token would not help: the refusal stands
 */
export const findOwnResource: Flow<ResourceInput, OwnResource | undefined> = (input, run) =>
  stoppable(run, async run => {
    const {ports} = run;
    const {deployment, platform, tokens, asked, among} = input;
    const {audience = [], warnings} = inspectToken(tokens.signIn.reveal(), deployment.issuer, ports.clock.now());
    // An identity provider that ignored the requested resource would ignore the next one as well.
    if (warnings.length > 0 || (asked !== undefined && !audience.includes(asked))) return undefined;
    for (const {server, url} of serversOf(deployment, platform)) {
      if (!(await isRefused(url, tokenFor(server, tokens).reveal(), run))) continue;
      if (!among.includes(server)) return undefined;
      const resource = await readResource(server, {...deployment, platform}, run);
      return resource === undefined || audience.includes(resource) ? undefined : {server, resource};
    }
    return undefined;
  });

const isRefused = (url: string, token: string, run: Run): Promise<boolean> =>
  listTools({url, headers: {Authorization: `Bearer ${token}`}}, run).then(
    () => false,
    error => {
      run.signal.throwIfAborted();
      if (!(error instanceof SetupError)) throw error;
      return error.code === 'auth-token-refused';
    },
  );

type Services = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
};

/**
 * Returns the resource that a server names in its metadata, if that is the server's own address: metadata for another
 * resource than the requested one must not be used (RFC 9728 3.3). Otherwise returns undefined.
 */
export const readResource = async (server: McpServer, services: Services, run: Run): Promise<string | undefined> => {
  const {platform, controlPlaneUrl, observerUrl = ''} = services;
  const own = serversOf(services, platform).find(one => one.server === server);
  const base = server === 'control-plane' ? controlPlaneUrl : observerUrl;
  if (!own) return undefined;
  const {ports, signal, tell} = run;
  const address =
    (await challengedMetadata(new URL(own.url), run, {timeout: PROBE_TIMEOUT})) ??
    addressOf(base, platform.paths.protectedResource);
  try {
    const reply = await ports.http.send({method: 'GET', url: address}, {signal, report: tell});
    return isSuccess(reply) && readJson(reply, address).resource === own.url ? own.url : undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return undefined;
  }
};

/**
 * The result of requesting a server's own token; `refused` if the identity provider issues no tokens for this resource.
 */
export type OwnToken = Token | 'refused';

type Input = OwnResource & {
  readonly issuer: string;
  /** The account that this run is signed in as. */
  readonly account: string;
  readonly by:
    | {
        readonly method: ClientMethod;
        readonly clientId: string;
        readonly secret?: Secret | undefined;
        readonly wanted?: WantedToken;
      }
    | PersonSignIn;
};

/**
 * Gets a token for a server that accepts only tokens for its own resource. A client requests it with its secret. A
 * person signs in once more: at some identity providers a refresh token is valid for its own resource only, and an
 * authorization request names only one. If the identity provider remembers the person, they type nothing.
 *
 * The control plane's own token replaces the token of the sign-in.
 *
 * @throws SetupError the errors of the sign-in, except a refusal of the resource
 */
export const obtainOwnToken: Flow<Input, OwnToken> = async (input, run) => {
  const {server, resource, issuer, by, account} = input;
  const target = {
    issuer,
    wanted: {scopes: [], ...by.wanted, resource},
    ...(server === 'observability' ? {server} : {}),
  };
  try {
    if ('method' in by) return await obtainToken({...by, ...target}, run);
    run.tell({type: 'second-sign-in', resource});
    const {token} = await signInBy({...by, ...target}, run);
    if (token.account !== account) {
      const message = `You signed in to ${resource} as ${token.account}, but to the other servers as ${account}.`;
      run.tell({type: 'warning', message});
    }
    return token;
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'auth-resource-refused') throw error;
    run.tell({type: 'warning', message: error.message});
    return 'refused';
  }
};
