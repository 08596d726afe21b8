import {withoutEnd} from '../text.ts';

/** The reason why an identity provider, or one of its clients, refuses a request; each has one remedy. */
export type Cause =
  /** The grant type is not enabled for the client. */
  | 'grant'
  /** The identity provider does not accept PKCE with S256 from this client. */
  | 'pkce'
  /** The client has to send its authorization request in advance (RFC 9126), and cannot. */
  | 'par'
  /** Tokens are bound to a key (RFC 9449). */
  | 'dpop'
  | 'scope'
  /** The token is for another audience. */
  | 'audience'
  /** Access tokens are not JWTs. */
  | 'opaque'
  | 'secret'
  /** The secret is sent in another way than the client is registered for. */
  | 'secret-method'
  /** The secret or the way it is sent is wrong; the answer does not say which. */
  | 'secret-or-method'
  /** The client may not sign in by itself. */
  | 'service-account'
  | 'disabled'
  | 'unknown-client'
  | 'redirect'
  /** An administrator, or the person, has not given permission yet. */
  | 'consent'
  /** Only the person can continue: a second factor, a managed device. */
  | 'interaction'
  /** The account is not among those that may use the client. */
  | 'assignment'
  /** The identity provider has ended the sign-in. */
  | 'ended'
  | 'device'
  /** The client with which people sign in demands a secret, but has to be a public client. */
  | 'confidential'
  /** The `resource` or `audience` is not registered. */
  | 'resource';

/** The request that was answered. */
export type RequestStage = 'authorization' | 'token' | 'renewal' | 'device';

/** The form of one refusal of an identity provider. Absent members match anything. */
export type Refusal = {
  readonly cause: Cause;
  readonly at?: readonly RequestStage[];
  readonly error?: string;
  /** Matches the `error_description` of the answer, or the text of the error page. */
  readonly says?: RegExp;
};

/**
 * The facts that hold for every identity provider of one kind. In the sentences, `{issuer}`, `{clientId}`,
 * `{redirect}`, `{scopes}`, `{audience}` and `{serviceClientId}` are placeholders for the values of a deployment.
 */
export type IdentityProvider = {
  readonly id: string;
  readonly name: string;
  /**
   * What the facts below rest on: `run` for tests with the identity provider itself, `documentation` for its
   * documentation and the reports of its users alone.
   */
  readonly evidence: 'run' | 'documentation';
  /**
   * The signs of the kind: its issuer, and the paths of its endpoints. An issuer below the vendor's own domain is
   * enough. Otherwise, all the paths have to fit, and one sign alone is not enough: another program may have the same
   * path by chance.
   */
  readonly knownBy: {readonly issuer?: RegExp; readonly endpoints?: Readonly<Record<string, RegExp>>};
  /** True if it comes with the platform, so that an administrator of the platform can create clients in it. */
  readonly isBundled?: true;
  readonly refreshToken: {
    /** The scope that brings a refresh token; absent if none is needed. */
    readonly scope?: 'offline_access';
    /** True if the person has to be asked for consent each time (OpenID Connect Core 11). */
    readonly consent?: true;
    /** The setting that enables refresh tokens. */
    readonly setting?: string;
    /** True if `setting` alone decides whether there is a refresh token, so no scope is requested for it. */
    readonly isUnasked?: true;
    /** The setting for how long a sign-in lasts, and for how long it may stay unused. */
    readonly lifetime?: string;
    /** True if each use postpones the token's end, which then limits how long the sign-in may stay unused. */
    readonly slides?: true;
  };
  /** True if PKCE works although the metadata does not list it. */
  readonly isPkceUnlisted?: true;
  /** True if an authorization request is refused one redirect later, at a page of the same origin. */
  readonly isRefusingAfterRedirect?: true;
  /**
   * The parameter that requests a token for this platform. It is `resource` (RFC 8707) also for an identity provider
   * that ignores it, and `none` for one that refuses it, where the client or a scope determines the audience.
   */
  readonly target: 'resource' | 'audience' | 'none';
  /** How to set the audience of its tokens. */
  readonly audience: string;
  /** True if all its access tokens are JWTs. */
  readonly isAlwaysJwt?: true;
  /** The reason why its access tokens cannot serve, whatever is configured. Absent if they can. */
  readonly unfit?: string;
  /** The redirect addresses that it accepts for a program on the person's machine. */
  readonly redirects: string;
  readonly refusals: readonly Refusal[];
  /** Where to correct each cause. */
  readonly settings: Readonly<Partial<Record<Cause, string>>>;
  /**
   * The steps that set up a client for people, and one for a service account: in its user interface, in its
   * configuration or on a command line. One line per step.
   */
  readonly guide: {readonly person: readonly string[]; readonly serviceAccount: readonly string[]};
};

/** The values of the placeholders in a sentence. */
export type GuideValues = Readonly<
  Partial<Record<'issuer' | 'clientId' | 'redirect' | 'scopes' | 'audience' | 'serviceClientId', string>>
>;

/** Fills in the placeholders of a sentence. An unknown value becomes a placeholder in angle brackets. */
export const fill = (sentence: string, values: GuideValues): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name as keyof GuideValues] ?? `<${name}>`);

const OPENID = '/.well-known/openid-configuration';
const OAUTH = '/.well-known/oauth-authorization-server';

/**
 * Returns the possible addresses of an issuer's metadata, the usual ones first: OpenID Connect puts its well-known name
 * after the path (Discovery 4.1), OAuth before it (RFC 8414 3.1), and providers combine either name with either place.
 *
 * @param issuer its URL, with or without a trailing slash
 */
const metadataAddresses = (issuer: string): readonly URL[] => {
  const {origin, pathname} = new URL(issuer);
  const path = withoutEnd(pathname, '/');
  const addresses = [`${path}${OPENID}`, `${OAUTH}${path}`, `${OPENID}${path}`, `${path}${OAUTH}`];
  return [...new Set(addresses)].map(address => new URL(`${origin}${address}`));
};

/**
 * Requests an issuer's metadata, address by address.
 *
 * @param ask returns the document at one address; undefined if there is none (404)
 * @returns the first document found; undefined if there is none
 * @throws the errors of `ask`
 */
export const findMetadata = async <Found>(
  issuer: string,
  ask: (address: URL) => Promise<Found | undefined>,
): Promise<Found | undefined> => {
  for (const address of metadataAddresses(issuer)) {
    const found = await ask(address);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Whether two addresses of an identity provider are equal, apart from slashes at their ends. */
export const isSameButSlash = (one: string, other: string): boolean => withoutEnd(one, '/') === withoutEnd(other, '/');
