import {connect} from 'node:net';
import {connect as connectSecurely} from 'node:tls';
import type {SandboxReady} from '../../../src/sandbox/sandbox.ts';
import {authorizationUrl, cli, redeem, refresh, signIn} from '../identity/browser.ts';
import {type Answer, adminToken, bearer, claimsOf, pkce, send, serviceToken} from '../support.ts';

/**
 * Finds out everything that a client can learn from a sandbox: statuses, bodies in a word, and errors by their code.
 * A finding is undefined if a request that it depends on failed.
 */
export const surveyOf = async (ready: SandboxReady, redirectUri: string) => {
  const {authUrl, controlPlaneUrl, observerUrl} = ready;
  const clocks = new Set<number>();
  const ask = async (...parameters: Parameters<typeof send>): Promise<Partial<Answer> & {readonly seen: string}> => {
    try {
      const answer = await send(...parameters);
      clocks.add(minutesFromNow(Date.parse(answer.headers.date ?? '')));
      return {...answer, seen: inAWord(answer)};
    } catch (error) {
      return {seen: codeOf(error)};
    }
  };
  const metadata = (await ask(`${authUrl}/.well-known/openid-configuration`)).json;
  const {tokens, ...authorization} = await authorized(ready, redirectUri);
  const access = claimsIfAny(tokens?.access_token);
  const id = claimsIfAny(tokens?.id_token);
  const service = await serviceToken(ready).catch(() => undefined);
  const assertion = await adminToken(ready).catch(() => undefined);
  const mcp = async (url: string, token?: string) => {
    const {seen, headers} = await ask(`${url}/mcp`, {json: initialize, headers: token ? bearer(token) : {}});
    return headers?.['www-authenticate'] ? `${seen} ${headers['www-authenticate'].replace(/http.*"/, '…"')}` : seen;
  };
  const withToken = (path: string, token: string | undefined) =>
    token === undefined ? undefined : ask(path, {headers: bearer(token)}).then(({seen}) => seen);

  const survey = {
    controlPlane: (await ask(`${controlPlaneUrl}/health`)).seen,
    observer: (await ask(`${observerUrl}/health`)).seen,
    identityProvider: (await ask(`${authUrl}/health/readiness`)).seen,
    trust: await trustIn(controlPlaneUrl),
    version: (await ask(`${controlPlaneUrl}/version`)).json?.version,
    issuer: metadata?.issuer === authUrl ? 'its own' : metadata?.issuer,
    pkce: metadata?.code_challenge_methods_supported,
    ...authorization,
    token: tokens && (access ? 'JWT' : typeof tokens.access_token),
    audience: access && (access.aud === `${controlPlaneUrl}/mcp` ? 'the platform' : access.aud),
    lifetime: access && access.exp - access.iat,
    issued: access && [access, id].map(({iat}) => minutesFromNow(iat * 1000)),
    refreshed: await refreshed(ready, tokens?.refresh_token),
    administration: await withToken(`${authUrl}/applications`, assertion),
    resources: await withToken(`${controlPlaneUrl}/api/v1/namespaces`, service),
    mcpUnsigned: await mcp(controlPlaneUrl),
    mcpSigned: service && (await mcp(controlPlaneUrl, service)),
    observerMcpSigned: service && (await mcp(observerUrl, service)),
    ...(await conversation(ask, controlPlaneUrl, service)),
    callbackPort: await portIs(redirectUri),
  };
  return {...survey, clocks: [...clocks]};
};

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {name: 'survey', version: '1'}},
};

/**
 * Sends five requests in one session, and calls a tool in another. Returns the statuses of the requests and the
 * result of the call. Both are undefined if no session can be begun.
 */
const conversation = async (
  ask: (...parameters: Parameters<typeof send>) => Promise<Partial<Answer> & {readonly seen: string}>,
  url: string,
  token: string | undefined,
) => {
  if (token === undefined) return {mcpSession: undefined, toolCall: undefined};
  const begin = async () => {
    const begun = await ask(`${url}/mcp`, {json: initialize, headers: bearer(token)});
    const session = begun.headers?.['mcp-session-id'];
    const headers = {...bearer(token), 'mcp-session-id': String(session)};
    return session === undefined ? undefined : (json: object) => ask(`${url}/mcp`, {json, headers});
  };
  const [first, second] = [await begin(), await begin()];
  const statuses: unknown[] = [];
  for (let id = 2; first && id < 7; id += 1) statuses.push((await first({jsonrpc: '2.0', id, method: 'ping'})).status);
  const call = {jsonrpc: '2.0', id: 2, method: 'tools/call', params: {name: 'list_organizations', arguments: {}}};
  return {mcpSession: first && statuses.join(' '), toolCall: (await second?.(call))?.seen};
};

const inAWord = ({status, headers, json}: Answer) => {
  const type = headers['content-type']?.split(';')[0] ?? 'nothing';
  return [status, type, ...(typeof json?.error === 'string' ? [json.error] : [])].join(' ');
};

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error));

/** Adds zero, so that the result for now is not a negative zero, which would not compare as equal. */
const minutesFromNow = (time: number) => Math.round((time - Date.now()) / 60_000) + 0;

const claimsIfAny = (token: string | undefined) => (token?.split('.').length === 3 ? claimsOf(token) : undefined);

/** Returns where the CLI's authorization request ends, and the tokens if it succeeds. */
const authorized = async (ready: SandboxReady, redirect_uri: string) => {
  const url = authorizationUrl(ready, {...cli, redirect_uri, code_challenge: pkce().challenge});
  try {
    const {status, headers} = await send(url);
    const location = headers.location === undefined ? undefined : new URL(headers.location);
    if (!location) return {authorization: `${status} ${headers['content-type']}`};
    const problem = location.searchParams.get('errorMessage');
    if (problem) return {authorization: problem};
    const answer = await redeem(ready, await signIn(ready, ready.admin, {redirect_uri}), {redirect_uri});
    return answer.status === 200 ? {authorization: 'granted', tokens: answer.json} : {authorization: inAWord(answer)};
  } catch (error) {
    return {authorization: codeOf(error)};
  }
};

const refreshed = async (ready: SandboxReady, token: string | undefined) => {
  if (token === undefined) return undefined;
  const {status, json} = await refresh(ready, token);
  return `${status} ${json.error ?? ''}`.trim();
};

/** Returns how a client with the default authorities judges a server's certificate. */
const trustIn = (url: string) => {
  const {protocol, hostname, port} = new URL(url);
  if (protocol === 'http:') return 'http';
  return new Promise<string>(resolve => {
    const socket = connectSecurely({host: '127.0.0.1', port: Number(port), servername: hostname});
    socket.on('secureConnect', () => resolve('trusted'));
    socket.on('error', error => resolve(codeOf(error)));
  });
};

const portIs = (redirectUri: string) =>
  new Promise<string>(resolve => {
    const socket = connect(Number(new URL(redirectUri).port), '127.0.0.1');
    socket.on('connect', () => resolve('held') ?? socket.destroy());
    socket.on('error', () => resolve('free'));
  });

export type Survey = Awaited<ReturnType<typeof surveyOf>>;
