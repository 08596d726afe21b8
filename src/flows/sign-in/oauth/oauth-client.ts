import type {Configuration, CustomFetch} from 'openid-client';
import {findSetupError, SetupError} from '../../../errors/errors.ts';
import {showUrl} from '../../../ports/network/curl.ts';
import {portalIn} from '../../../ports/network/portal.ts';
import {isSuccess, readJson} from '../../answers.ts';
import type {Run} from '../../reporting.ts';
import {authenticate, type ClientAuthentication} from './client-authentication.ts';
import {otherName, statusOf, translate} from './oauth-errors.ts';

type Input = {
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  /**
   * Whose clock ID tokens are judged by; this machine's, unless said otherwise. The server's is for a request that uses
   * up what it is made with, and must not fail after that because a clock is wrong.
   */
  readonly clock?: 'server';
};

export type OAuthClient = {
  readonly library: typeof import('openid-client');
  readonly configuration: Configuration;
  /** What the configuration's requests go through. */
  readonly fetch: CustomFetch;
  /** Runs a request of the library's and translates what it throws. */
  readonly attempt: <Output>(request: (configuration: Configuration) => Promise<Output>) => Promise<Output>;
  /**
   * Fetches the keys of ID tokens now, which else happens when one has come: for a request that uses up what it is made
   * with, and must not fail after that for want of them.
   */
  readonly fetchKeys: () => Promise<void>;
};

/**
 * An OAuth client of an identity provider whose metadata is its own (RFC 8414 3.3), through openid-client, loaded here
 * because nothing before needs it. ID tokens have their signature checked, on any channel. Metadata is looked for as
 * OpenID Connect has it, then as RFC 8414.
 *
 * @throws SetupError `platform-*`, `network-*`, `auth-endpoint-foreign`
 */
export const oauthClient = async (input: Input, {ports, signal, tell}: Run): Promise<OAuthClient> => {
  const {issuer, clientId, authentication} = input;
  const library = await import('openid-client');
  const send = ports.http.fetch({signal, report: tell});
  let skew: number | undefined;
  const fetch: CustomFetch = async (url, options) => {
    const response = await send(url, options as RequestInit);
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) skew = ports.clock.now() - date;
    const header = (name: string) => response.headers.get(name) ?? undefined;
    const portal = portalIn({status: response.status, header, body: await response.clone().text()}, new URL(url));
    if (portal) throw portal;
    return response;
  };
  const attempt = async <Output>(request: () => Promise<Output>): Promise<Output> => {
    try {
      return await request();
    } catch (error) {
      signal.throwIfAborted();
      throw findSetupError(error) ?? translate(error, {...input, skew}, library);
    }
  };
  // Our own fetch decides where plain http may go; the library only knows all or nothing.
  const settings = [library.allowInsecureRequests, library.enableNonRepudiationChecks];
  const discover = (algorithm: 'oidc' | 'oauth2') =>
    library.discovery(new URL(issuer), clientId, undefined, authenticate(authentication, library), {
      algorithm,
      [library.customFetch]: fetch,
      execute: settings,
    });

  const discovered = await attempt(() =>
    discover('oidc').catch(async error => {
      if (statusOf(error) !== 404) throw error;
      return discover('oauth2');
    }),
  );
  const ahead = Math.round((skew ?? 0) / 1000);
  /** The same by the server's clock, which the library takes only when a configuration is made. */
  const byServerClock = () => {
    const skewed = {[library.clockSkew]: -ahead};
    const own = new library.Configuration(
      discovered.serverMetadata(),
      clientId,
      skewed,
      authenticate(authentication, library),
    );
    own[library.customFetch] = fetch;
    for (const set of settings) set(own);
    return own;
  };
  const configuration = input.clock === 'server' && ahead !== 0 ? byServerClock() : discovered;
  // The library takes `https://idp` and `https://idp/` for the same; the tokens that name one are not for the other.
  if (configuration.serverMetadata().issuer !== issuer) throw otherName(issuer);
  refuseForeignEndpoints(configuration, issuer);
  const fetchKeys = async () => {
    const {jwks_uri: address} = configuration.serverMetadata();
    if (address === undefined) return;
    const url = new URL(address);
    const reply = await ports.http.send({method: 'GET', url}, {signal, report: tell});
    const {keys} = isSuccess(reply) ? readJson(reply, url) : {};
    if (!Array.isArray(keys)) {
      throw new SetupError(
        'platform-error',
        `${showUrl(url)} did not return its keys for ID tokens (${reply.status}).`,
        {
          about: {url: showUrl(url)},
        },
      );
    }
    library.setJwksCache(configuration, {jwks: {keys}, uat: Math.floor(ports.clock.now() / 1000)});
  };
  return {library, configuration, fetch, attempt: request => attempt(() => request(configuration)), fetchKeys};
};

/** The endpoints that get a credential or bring keys. */
const endpoints = ['token_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'jwks_uri'] as const;

/** Metadata may not send a credential to a host that the person never named (RFC 9700 4.4). */
const refuseForeignEndpoints = (configuration: Configuration, issuer: string) => {
  const metadata = configuration.serverMetadata();
  for (const name of endpoints) {
    const url = metadata[name];
    if (typeof url !== 'string' || new URL(url).hostname === new URL(issuer).hostname) continue;
    throw new SetupError(
      'auth-endpoint-foreign',
      `${issuer} names a ${name} at another host, ${new URL(url).origin}.`,
      {about: {url: issuer}},
    );
  }
};
