import {withoutEnd} from '../text.ts';

/** Why an identity provider, or one of its clients, does not do what was asked; each has one remedy. */
export type Cause =
  /** A grant type that is not switched on for the client. */
  | 'grant'
  /** PKCE that the client demands in another way, or not at all. */
  | 'pkce'
  /** A client that has to send its authorization request beforehand (RFC 9126), and cannot. */
  | 'par'
  /** Tokens that are bound to a key (RFC 9449). */
  | 'dpop'
  | 'scope'
  /** A token that is for somebody else. */
  | 'audience'
  /** Access tokens that are no JWTs. */
  | 'opaque'
  | 'secret'
  /** A secret that is sent in another way than the client is registered for. */
  | 'secret-method'
  /** A wrong secret or a wrong way to send it, which are not told apart. */
  | 'secret-or-method'
  /** A client that may not sign in by itself. */
  | 'service-account'
  | 'disabled'
  | 'unknown-client'
  | 'redirect'
  /** Permission that an administrator, or the person, has not given yet. */
  | 'consent'
  /** Something that only the person can do: a second factor, a device that is managed. */
  | 'interaction'
  /** An account that is not among those that may use the client. */
  | 'assignment'
  /** A sign-in that the identity provider has ended. */
  | 'ended'
  | 'device'
  /** A client for people that demands a secret. */
  | 'confidential'
  /** A `resource` or `audience` that is not registered. */
  | 'resource';

/** At which request an answer came. */
export type Stage = 'authorization' | 'token' | 'renewal' | 'device';

/** How an identity provider words one refusal. What is absent may be anything. */
export type Refusal = {
  readonly cause: Cause;
  readonly at?: readonly Stage[];
  readonly error?: string;
  /** What the description says, or the page. */
  readonly says?: RegExp;
};

/**
 * What is known of a kind of identity provider before any of them is asked. In its sentences `{issuer}`, `{clientId}`,
 * `{redirect}`, `{scopes}`, `{audience}` and `{serviceClientId}` stand for what a deployment has.
 */
export type IdentityProvider = {
  readonly id: string;
  readonly name: string;
  /** Whether the program itself was run with this one, or only its documentation and its users tell. */
  readonly evidence: 'run' | 'documentation';
  /**
   * By what it is told: its issuer, and paths of its endpoints, of which all have to fit. Other programs have the same path
   * by chance, so that one of these alone tells nothing; a vendor's own domain does.
   */
  readonly knownBy: {readonly issuer?: RegExp; readonly endpoints?: Readonly<Record<string, RegExp>>};
  /** Whether it comes with the platform, so that an administrator of the platform can create clients in it. */
  readonly isBundled?: true;
  readonly refreshToken: {
    /** The scope that brings one; absent where one comes without. */
    readonly scope?: 'offline_access';
    /** Whether the person has to be asked for their consent to it each time (OpenID Connect Core 11). */
    readonly consent?: true;
    /** What to switch on for it. */
    readonly setting?: string;
    /** Set where that setting alone decides, and no scope brings one. */
    readonly isUnasked?: true;
    /** Where it is set how long a sign-in lasts, and a pause in it. */
    readonly lifetime?: string;
    /** Set where each use puts its end off, so that it is the end of a pause and not of the sign-in. */
    readonly slides?: true;
  };
  /** Set where PKCE works although the metadata does not list it. */
  readonly isPkceUnlisted?: true;
  /** Set where an authorization request is refused one redirect later, at a page of the same origin. */
  readonly isRefusingAfterRedirect?: true;
  /**
   * The parameter by which a token is for this platform. `resource` (RFC 8707) is harmless where it is not known; `none`
   * where it is refused, because the client or a scope decides.
   */
  readonly target: 'resource' | 'audience' | 'none';
  /** How the audience of its tokens is set. */
  readonly audience: string;
  /** Set where every access token of its is a JWT. */
  readonly isAlwaysJwt?: true;
  /** Set where its access tokens cannot serve, whatever is configured: why. */
  readonly unfit?: string;
  /** What it takes as a redirect address of a program on the person's machine. */
  readonly redirects: string;
  readonly refusals: readonly Refusal[];
  /** Where each cause is mended. */
  readonly settings: Readonly<Partial<Record<Cause, string>>>;
  /** What to click and type, one line a step. */
  readonly guide: {readonly person: readonly string[]; readonly serviceAccount: readonly string[]};
};

/** What stands for the placeholders of a sentence. */
export type GuideValues = Readonly<
  Partial<Record<'issuer' | 'clientId' | 'redirect' | 'scopes' | 'audience' | 'serviceClientId', string>>
>;

/** A sentence with a deployment's values in it. What is not known stays a placeholder in angle brackets. */
export const fill = (sentence: string, values: GuideValues): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name as keyof GuideValues] ?? `<${name}>`);

const OPENID = '/.well-known/openid-configuration';
const OAUTH = '/.well-known/oauth-authorization-server';

/**
 * Where an issuer's metadata may be, the usual places first: OpenID Connect puts its name behind the path (Discovery 4.1),
 * OAuth before it (RFC 8414 3.1), and providers do either with either name.
 *
 * @param issuer its URL, with or without a slash at the end
 */
const metadataAddresses = (issuer: string): readonly URL[] => {
  const {origin, pathname} = new URL(issuer);
  const path = withoutEnd(pathname, '/');
  const addresses = [`${path}${OPENID}`, `${OAUTH}${path}`, `${OPENID}${path}`, `${path}${OAUTH}`];
  return [...new Set(addresses)].map(address => new URL(`${origin}${address}`));
};

/**
 * Asks for an issuer's metadata, place by place.
 *
 * @param ask what is at one address; undefined where there is nothing (404)
 * @returns what was found first; undefined where nothing is anywhere
 * @throws what `ask` throws
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

/** Whether two addresses of an identity provider differ by nothing but a slash at the end. */
export const isSameButSlash = (one: string, other: string): boolean => withoutEnd(one, '/') === withoutEnd(other, '/');
