import {orByFlag, type Remedy} from '../../../errors/error-row.ts';
import {type About, type ErrorCode, SetupError} from '../../../errors/errors.ts';
import {causeOf, operatorsChange, settingOf} from '../../../identity-providers/catalogue.ts';
import type {Cause, GuideValues, IdentityProvider, Stage} from '../../../identity-providers/identity-provider.ts';
import {cleanText} from '../../../text.ts';
import type {ClientAuthentication} from './client-authentication.ts';
import type {AskedToken} from './token-request.ts';

/** What was asked of whom. */
export type Asking = {
  readonly issuer: string;
  readonly clientId: string;
  readonly authentication: ClientAuthentication;
  readonly provider: IdentityProvider;
  readonly at: Stage;
  readonly asked?: AskedToken | undefined;
  readonly redirectUri?: string | undefined;
};

/** How an identity provider refused it: the error of the protocol, where there is one, and the words beside it. */
export type Answer = {
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  /** What it wants proven at the next sign-in, where it says so (OpenID Connect Core 5.5). */
  readonly claims?: string | undefined;
};

/** A refusal whose cause is known, in this program's words, with the place where that is mended; else undefined. */
export const refusalError = (answer: Answer, asking: Asking, cause?: unknown): SetupError | undefined => {
  const {provider, issuer, at, authentication, asked} = asking;
  const told = causeOf(provider, {at, error: answer.error, says: answer.description});
  if (told === undefined) return undefined;
  // Who sent no secret is not told that it is wrong, and who sent one not that it is missing.
  const isPublic = authentication.method === 'none';
  const found = isPublic ? (forPublic[told] ?? told) : (forConfidential[told] ?? told);
  const {code, message} = refusals[found];
  const reason = reasonOf(answer);
  const about: About = {
    url: issuer,
    ...(found === 'redirect' ? {flag: 'redirect-uri'} : {}),
    ...(found === 'secret-or-method' || isUnsaid(answer) ? {isMethodUnclear: true as const} : {}),
    ...(found === 'scope' && asked?.isOfflineAdded ? {isOfflineRefused: true as const} : {}),
    ...(found === 'resource' && provider.target === 'audience' && asked?.audience !== undefined
      ? {isDialect: true as const}
      : {}),
    ...(reason === '' ? {} : {said: reason}),
    ...(answer.claims === undefined ? {} : {claims: answer.claims}),
  };
  const setting = settingOf(provider, found, valuesOf(asking));
  // Some issue none to a service account that asks for nothing, and do not say what it might ask for.
  const isWithoutScope = found === 'scope' && asked?.scopes.length === 0;
  const remedy = isWithoutScope ? nameScope : ofPeople.has(found) ? setting : operatorsChange(provider, setting);
  const words = `${message(asking)}${reason === '' ? '' : ` (${reason})`}.`;
  // A sign-in that has ended is got back by a command that names its deployment, and the table knows how.
  return new SetupError(code, words, {cause, about, ...(found === 'ended' ? {} : {remedy})});
};

/** What a cause is to a client without a secret. */
const forPublic: Readonly<Partial<Record<Cause, Cause>>> = {
  secret: 'confidential',
  'secret-method': 'confidential',
  'secret-or-method': 'confidential',
};

/** What it is to one with a secret, which asks for no other grant than its own. */
const forConfidential: Readonly<Partial<Record<Cause, Cause>>> = {confidential: 'secret', grant: 'service-account'};

/** Some say so, and nothing besides, of a secret that is sent in another way than the client is registered for. */
const isUnsaid = ({error, description = ''}: Answer): boolean => error === 'unauthorized_client' && description === '';

const nameScope: Remedy = orByFlag(
  'Request a scope that this client may have.',
  'Name one that this client may have with --scopes.',
);

/** What the person can do something about. */
const ofPeople: ReadonlySet<Cause> = new Set(['secret', 'secret-or-method', 'interaction', 'ended']);

/** What was said, for showing. */
export const reasonOf = ({error, description}: Answer): string =>
  cleanText([error, description].filter(Boolean).join(': '));

/** What stands for the placeholders of a sentence about this request. */
export const valuesOf = ({
  issuer,
  clientId,
  asked,
  redirectUri,
}: Omit<Asking, 'authentication' | 'provider' | 'at'>): GuideValues => ({
  issuer,
  clientId,
  ...(asked ? {scopes: asked.scopes.join(' ')} : {}),
  ...(redirectUri === undefined ? {} : {redirect: redirectUri}),
  ...((asked?.audience ?? asked?.resource) === undefined ? {} : {audience: asked?.audience ?? asked?.resource ?? ''}),
});

type Words = {readonly code: ErrorCode; readonly message: (asking: Asking) => string};

/** Each cause as a failure: its code, and its sentence without the reason that was given and without a full stop. */
const refusals: Readonly<Record<Cause, Words>> = {
  grant: {
    code: 'auth-grant-missing',
    message: ({issuer, clientId}) => `${issuer} does not allow ${clientId} this grant type`,
  },
  pkce: {
    code: 'auth-pkce-missing',
    message: ({issuer, clientId}) => `${issuer} does not accept PKCE with S256 from ${clientId}`,
  },
  par: {
    code: 'auth-par-required',
    message: ({issuer, clientId}) =>
      `${issuer} requires pushed authorization requests from ${clientId}, but names no endpoint for them`,
  },
  dpop: {
    code: 'auth-dpop-required',
    message: ({issuer, clientId}) => `${issuer} issues only DPoP-bound tokens to ${clientId}`,
  },
  scope: {
    code: 'auth-scope-refused',
    message: ({issuer, clientId, asked: {scopes = []} = {}}) =>
      scopes.length === 0
        ? `${issuer} issues no token to ${clientId} without a scope`
        : `${issuer} does not grant ${clientId} these scopes: ${cleanText(scopes.join(' '))}`,
  },
  audience: {code: 'auth-token-refused', message: ({issuer}) => `${issuer} issued a token for a different audience`},
  opaque: {
    code: 'auth-token-opaque',
    message: ({issuer, clientId}) => `${issuer} issues access tokens that are not JWTs to ${clientId}`,
  },
  secret: {
    code: 'auth-client-refused',
    message: ({issuer, clientId}) => `${issuer} refused the client ID or the secret of ${clientId}`,
  },
  'secret-method': {
    code: 'auth-method-refused',
    message: ({issuer, clientId}) => `${issuer} does not let ${clientId} sign in this way`,
  },
  'secret-or-method': {
    code: 'auth-client-refused',
    message: ({issuer, clientId}) => `${issuer} refused the secret of ${clientId}, or the way it is sent`,
  },
  'service-account': {
    code: 'auth-service-account-off',
    message: ({issuer, clientId}) => `${issuer} doesn’t let ${clientId} sign in as a service account`,
  },
  disabled: {code: 'auth-client-disabled', message: ({issuer, clientId}) => `${clientId} is disabled at ${issuer}`},
  'unknown-client': {
    code: 'auth-client-unknown',
    message: ({issuer, clientId}) => `${issuer} has no client ${clientId}`,
  },
  redirect: {
    code: 'auth-redirect-refused',
    message: ({issuer, clientId, redirectUri}) =>
      `${issuer} has no client ${clientId} with the redirect URL ${redirectUri}`,
  },
  consent: {
    code: 'auth-consent-required',
    message: ({issuer, clientId}) => `${issuer} requires a permission that ${clientId} has not been given`,
  },
  interaction: {
    code: 'auth-interaction-required',
    message: ({issuer}) => `${issuer} needs you to complete another step in the browser`,
  },
  assignment: {
    code: 'auth-permission-missing',
    message: ({issuer, clientId}) => `${issuer} does not let this account use ${clientId}`,
  },
  ended: {code: 'auth-grant-refused', message: ({issuer}) => `${issuer} refused the sign-in`},
  device: {
    code: 'auth-device-missing',
    message: ({issuer, clientId}) => `${issuer} does not let ${clientId} sign people in with a code`,
  },
  confidential: {
    code: 'auth-client-confidential',
    message: ({issuer, clientId}) => `${issuer} doesn’t let ${clientId} sign in without a secret`,
  },
  resource: {
    code: 'auth-resource-refused',
    message: ({issuer, asked}) => {
      const target = asked?.resource ?? asked?.audience;
      return `${issuer} does not issue tokens for ${target === undefined ? 'this resource' : cleanText(target)}`;
    },
  },
};
