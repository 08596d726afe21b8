import {SetupError} from '../errors.ts';
import {addressOf} from '../platform/address.ts';
import type {Platform, Service} from '../platform/platform.ts';
import type {Ports} from '../ports/ports.ts';
import {isSuccess, statusError} from './answers.ts';
import type {Deployment} from './deployment/deployment.ts';
import type {Flow, McpServer} from './flow.ts';
import {listTools} from './list-tools.ts';
import {serversOf} from './mcp-entries.ts';
import {reporting, type Tell} from './reporting.ts';
import {inspectToken} from './token-claims.ts';

export type CheckedServer = {readonly server: McpServer; readonly url: string; readonly tools: number};

export type Check = {readonly servers: readonly CheckedServer[]; readonly serverVersion?: string};

type Input = {readonly platform: Platform; readonly deployment: Deployment};

/**
 * Proves that the sign-in works where it will be used: health of both services, the token's claims, then `initialize`
 * and `tools/list` on each MCP server, all side by side. The token comes from the vault.
 *
 * @throws SetupError the first failure in the order above; the others have been told as events
 */
export const checkConnection: Flow<Input, Check> = (input, ports, signal) =>
  reporting(signal, async (tell, signal) => {
    const {deployment, platform} = input;
    const token = ports.vault.get('access-token');
    if (token === undefined) throw new SetupError('auth-sign-in-required', 'There is no access token.');

    const health = [
      checkHealth('control-plane', deployment.controlPlaneUrl, input, ports, signal, tell),
      ...(deployment.observerUrl ? [checkHealth('observer', deployment.observerUrl, input, ports, signal, tell)] : []),
    ];
    const claims = inspectToken(token, deployment.issuer, ports.clock.now());
    tell({type: 'token-checked', ...claims});
    for (const message of claims.warnings) tell({type: 'warning', message});

    const headers = {Authorization: `Bearer ${token}`};
    const servers = serversOf(deployment, platform).map(async ({server, url}) => {
      const {names, ms} = await listTools({url, headers}, ports, signal, tell);
      tell({type: 'server-checked', server, url, tools: names.length, ms});
      return {server, url, tools: names.length};
    });
    const settled = await Promise.allSettled([...health, ...servers]);
    signal.throwIfAborted();
    const failed = settled.find(({status}) => status === 'rejected');
    if (failed?.status === 'rejected') throw withClaims(failed.reason, claims.warnings);
    return {
      servers: await Promise.all(servers),
      ...(deployment.version ? {serverVersion: deployment.version} : {}),
    };
  });

const checkHealth = async (
  service: Service,
  baseUrl: string,
  {platform}: Input,
  ports: Ports,
  signal: AbortSignal,
  tell: Tell,
) => {
  const url = addressOf(baseUrl, platform.paths.health);
  const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
  if (!isSuccess(reply)) throw statusError(reply, url);
  tell({type: 'health-checked', service, url: url.href, ms: reply.ms});
};

/** A refused token with something odd in it: the oddity is the most likely reason. */
const withClaims = (error: unknown, warnings: readonly string[]) =>
  error instanceof SetupError && error.code === 'auth-token-refused' && warnings[0]
    ? new SetupError(error.code, `${error.message} ${warnings[0]}`, {cause: error})
    : error;
