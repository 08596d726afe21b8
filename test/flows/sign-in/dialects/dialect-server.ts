import {exportJWK, generateKeyPair, SignJWT} from 'jose';
import type {Ports} from '../../../../src/ports/ports.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {type Handler, json, serve, text} from '../../../support/server.ts';
import type {Dialect, Refusal} from './dialects.ts';

export const PUBLIC_CLIENT = 'platform-cli';
export const SERVICE = {clientId: 'ci', secret: 'the-secret'} as const;
export const REDIRECT_URI = 'http://127.0.0.1:55152/auth-callback';

const keys = generateKeyPair('RS256');

/**
 * Starts a provider of this kind on loopback, with a public client and a service account. The network of its ports
 * leads the provider's addresses to it. Access tokens are JWTs that live as long as the test says.
 */
export const dialectServer = async (dialect: Dialect) => {
  const {issuer, endpoints, offline, renewal, refreshLifetime} = dialect;
  const {origin} = new URL(issuer);
  const absolute = (path: string) => (path.startsWith('/') ? `${origin}${path}` : path);
  const state = {
    subject: 'ann',
    hasEnded: false,
    isWithoutRefresh: false,
    count: 0,
    refresh: '',
    forms: [] as URLSearchParams[],
  };
  const asked: URLSearchParams[] = [];

  const sign = async (audience: string, claims: object) =>
    new SignJWT({...claims})
      .setProtectedHeader({alg: 'RS256', kid: 'one'})
      .setIssuer(issuer)
      .setSubject(state.subject)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign((await keys).privateKey);

  const refuse = (refusal: Refusal, redirectUri: string): Handler => {
    if (refusal.as === 'page') return text(refusal.body, refusal.status, refusal.type ?? 'text/html');
    if (refusal.as === 'later') return redirect(`${origin}/later`);
    const query = new URLSearchParams({error: refusal.error, error_description: refusal.error_description});
    return redirect(`${refusal.as === 'back' ? redirectUri : `${origin}/error`}?${query}`);
  };

  const authorize = (query: URLSearchParams): Handler => {
    asked.push(query);
    const redirectUri = query.get('redirect_uri') ?? '';
    if (query.get('client_id') !== PUBLIC_CLIENT) return refuse(dialect.unknownClient, redirectUri);
    if (redirectUri !== REDIRECT_URI) return refuse(dialect.foreignRedirect, redirectUri);
    if (query.has('resource') && typeof dialect.resource === 'object') return refuse(dialect.resource, redirectUri);
    if (query.get('scope')?.includes('nobody')) return refuse({as: 'back', ...dialect.unknownScope}, redirectUri);
    return text('<html>Sign in', 200, 'text/html');
  };

  /** Returns the redirect, with an authorization code, for a person who signs in there. */
  const code = (query: URLSearchParams): string => {
    const isOffline = query.get('scope')?.split(' ').includes('offline_access') ?? false;
    const hasRefresh =
      offline === undefined || (isOffline && (offline === 'scope' || query.get('prompt') === 'consent'));
    const state = query.get('state') ?? '';
    const what = {nonce: query.get('nonce'), hasRefresh, audience: query.get('audience') ?? query.get('resource')};
    return `${REDIRECT_URI}?${new URLSearchParams({code: JSON.stringify(what), state})}`;
  };

  const tokens = async (what: {nonce?: string | null; audience?: string | null}, refresh: string | undefined) => ({
    access_token: await sign(what.audience ?? 'platform', {jti: String(++state.count)}),
    id_token: await sign(PUBLIC_CLIENT, what.nonce ? {nonce: what.nonce} : {}),
    token_type: 'Bearer',
    expires_in: 3600,
    ...(refresh === undefined ? {} : {refresh_token: refresh}),
    ...(refresh === undefined || refreshLifetime === undefined ? {} : {refresh_expires_in: refreshLifetime}),
  });

  const token = async (form: URLSearchParams, authorization: string | undefined): Promise<Handler> => {
    state.forms.push(form);
    const refused = ({status, ...body}: {status: number; error: string}) => json(body, status);
    if (form.get('grant_type') === 'authorization_code') {
      const what = JSON.parse(form.get('code') ?? '{}');
      if (!form.get('code_verifier')) return refused({status: 400, error: 'invalid_grant'});
      state.refresh = `refresh-${++state.count}`;
      return json(await tokens(what, what.hasRefresh && !state.isWithoutRefresh ? state.refresh : undefined));
    }
    if (form.get('grant_type') === 'refresh_token') {
      if (state.hasEnded || form.get('refresh_token') !== state.refresh) return refused(dialect.ended);
      if (renewal === 'another') state.refresh = `refresh-${++state.count}`;
      return json(await tokens({}, renewal === 'none' ? undefined : state.refresh));
    }
    const header = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const isBasic = header === `${SERVICE.clientId}:${SERVICE.secret}`;
    const isPost = form.get('client_secret') === SERVICE.secret && dialect.secretBy !== 'basic';
    if (!isBasic && !isPost) return refused(dialect.wrongSecret);
    const {id_token: _, ...answer} = await tokens({audience: form.get('audience') ?? form.get('resource')}, undefined);
    return json(answer);
  };

  const metadata = {
    issuer,
    ...Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [name, absolute(path)])),
    response_types_supported: ['code'],
    ...(dialect.isPkceUnlisted ? {} : {code_challenge_methods_supported: ['S256']}),
    ...dialect.extra,
  };
  const pathOf = (path: string) => new URL(absolute(path)).pathname;
  const discovery = `${new URL(issuer).pathname.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const there = await serve(async (request, response) => {
    const url = new URL(request.url ?? '/', origin);
    const answer = async (): Promise<Handler> => {
      if (url.pathname === discovery) return json(metadata);
      if (url.pathname === pathOf(endpoints.authorization_endpoint)) return authorize(url.searchParams);
      if (url.pathname === '/later') {
        const {unknownClient, foreignRedirect} = dialect;
        const refusal = asked.at(-1)?.get('client_id') === PUBLIC_CLIENT ? foreignRedirect : unknownClient;
        return refusal.as === 'later' ? text(refusal.body, refusal.status, 'text/html') : text('', 500);
      }
      if (url.pathname === pathOf(endpoints.jwks_uri)) {
        return json({keys: [{...(await exportJWK((await keys).publicKey)), kid: 'one', alg: 'RS256', use: 'sig'}]});
      }
      if (url.pathname === pathOf(endpoints.token_endpoint)) {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        return token(new URLSearchParams(Buffer.concat(chunks).toString()), request.headers.authorization);
      }
      return text('<html>Not found', 404, 'text/html');
    };
    (await answer())(request, response);
  });
  return {ports: await portsTo(there), state, asked, code};
};

const redirect =
  (to: string): Handler =>
  (_, response) => {
    response.writeHead(302, {Location: to}).end();
  };

/** Returns ports whose calls to any https address reach a server of the test. */
const portsTo = async (there: string): Promise<Ports> => {
  const ports = await temporaryPorts();
  const led = (url: URL) => (url.protocol === 'https:' ? new URL(`${there}${url.pathname}${url.search}`) : url);
  return {
    ...ports,
    http: {
      ...ports.http,
      send: (request, context) => ports.http.send({...request, url: led(request.url)}, context),
      fetch: context => {
        const fetch = ports.http.fetch(context);
        return ((url: string, options: RequestInit) => fetch(led(new URL(url)).href, options)) as typeof fetch;
      },
    },
  };
};
