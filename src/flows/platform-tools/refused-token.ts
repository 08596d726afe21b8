import {inspectToken, isOfClient, payloadOf, scopesIn} from '../../domain/tokens.ts';
import {SetupError} from '../../errors/errors.ts';
import {phrase, requestFlags, signIn} from '../../errors/remedy.ts';
import {operatorsChange, providerOf, recogniseProvider, settingOf} from '../../identity-providers/catalogue.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';

/** How long a server may take to say whether it accepts a token, in milliseconds. */
const TIMEOUT = 3_000;

const ping = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'ping'});

/**
 * Finds out by one call whether an MCP server refuses a token (RFC 6750 3.1). A server that cannot be asked, or that
 * does not know the call, has refused nothing.
 */
export const isTokenRefused: Flow<{readonly url: string; readonly token: string}, boolean> = ({url, token}, run) =>
  stoppable(run, async ({ports, signal, tell}) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    };
    const request = {method: 'POST', url: new URL(url), headers, body: ping, timeout: TIMEOUT, isQuick: true} as const;
    return ports.http.send(request, {signal, report: tell}).then(
      ({status}) => status === 401,
      () => {
        signal.throwIfAborted();
        return false;
      },
    );
  });

/** The scopes with which people sign in, for a token that does not name its own. */
const usual = ['openid', 'profile', 'email'];

/**
 * Returns the error for a token without a scope that the refusing server demands (RFC 6750 3.1). It names the scopes
 * that are demanded and those that the token has.
 *
 * @param error the error of a call with the token
 * @returns undefined if the server demands no scope, or none that the token lacks: then something else is missing
 */
export const missingScope = (error: unknown, token: string): SetupError | undefined => {
  if (!(error instanceof SetupError) || error.code !== 'auth-permission-missing') return undefined;
  const {demanded, url = 'The server'} = error.about;
  const granted = scopesIn(token);
  const lacking = demanded?.filter(scope => !granted?.includes(scope)) ?? [];
  if (demanded === undefined || lacking.length === 0) return undefined;
  const before = granted ?? (isOfClient(token) ? [] : usual);
  const toRequest = [...new Set([...before, ...lacking])];
  const has = granted === undefined ? 'names none' : `has ${granted.join(' ')}`;
  const scope = demanded.length === 1 ? 'scope' : 'scopes';
  return new SetupError(
    'auth-scope-missing',
    `${url} requires the ${scope} ${demanded.join(' ')}, but the token ${has} (403).`,
    {
      cause: error,
      about: {...error.about, toRequest},
      remedy: {
        do: `Sign in again and ask for ${lacking.join(' ')} too.`,
        flag: phrase`Run ${signIn(requestFlags({scopes: toRequest}))}.`,
      },
    },
  );
};

type Input = {
  readonly token: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The kind of identity provider. If absent, it is recognised by its issuer and its stored metadata. */
  readonly provider?: string | undefined;
  /** The resource that the refusing server names for itself. */
  readonly resource?: string | undefined;
};

/**
 * Returns the fault of an access token that a server has refused, as far as the token shows it, and the setting at the
 * identity provider that fixes it: the token is not a JWT, or it is for another audience. Undefined if neither shows.
 */
export const tokenFault = async (
  {token, issuer, clientId, provider: known, resource}: Input,
  {providers, clock}: Ports,
): Promise<SetupError | undefined> => {
  const {metadata} = await providers.get(issuer);
  const provider = known === undefined ? recogniseProvider(issuer, metadata?.body) : providerOf(known);
  const values = {issuer, clientId, ...(resource === undefined ? {} : {audience: resource})};
  const remedy = (cause: 'opaque' | 'audience') => operatorsChange(provider, settingOf(provider, cause, values));
  const about = {url: issuer};
  if (payloadOf(token) === undefined) {
    const why = provider.unfit ?? `${issuer} issues access tokens that are not JWTs to ${clientId}`;
    const message = `${why}, but the platform’s servers accept only JWTs.`;
    return new SetupError('auth-token-opaque', message, {about, remedy: remedy('opaque')});
  }
  const {audience = [], warnings} = inspectToken(token, issuer, clock.now());
  if (warnings.length > 0 || resource === undefined || audience.includes(resource)) return undefined;
  const named = audience.length === 0 ? 'names no audience' : `is for ${audience.join(', ')}`;
  const message = `The token ${named}, but the server identifies itself as ${resource}.`;
  // A provider that was told no audience names the client as the audience, so the client alone proves nothing.
  const isForAnother = audience.some(one => one !== clientId);
  return new SetupError(isForAnother ? 'auth-audience-wrong' : 'auth-token-refused', message, {
    about,
    remedy: remedy('audience'),
  });
};
