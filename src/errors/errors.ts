import type {ErrorCode} from './error-table.ts';
import {HomeUnknown} from './home-unknown.ts';
import type {Advice} from './remedy.ts';
import {LIMIT_REMEDY, limitIn} from './system-limit.ts';

export type {ErrorCode} from './error-table.ts';

type FamilyOf<C extends string> = C extends `${infer F}-${string}` ? F : C;

/** The kind of failure of a code, which usually determines its exit code. */
export type Family = FamilyOf<ErrorCode>;

/**
 * Returns the family of a code.
 *
 * @returns `network` for `network-refused`
 */
export const familyOf = (code: ErrorCode): Family => code.split('-', 1)[0] as Family;

/**
 * Whether a text has the form of an error code. The code may come from another release: the table of errors treats an
 * unknown code as a bug.
 */
export const isErrorCode = (text: unknown): text is ErrorCode =>
  typeof text === 'string' && /^(?:bug|cancelled|(?:input|network|auth|platform|local|warnings)-[a-z-]+)$/.test(text);

/** The facts of a failure. */
export type About = {
  /** An origin whose certificate comes from an authority that is not trusted here. */
  readonly untrusted?: string;
  /** True if the person's own sign-in may grant the role that is missing. */
  readonly isGrantable?: true;
  /** The kube context in which kubectl may grant the role that is missing. */
  readonly kubeContext?: string;
  /** True if only another sign-in helps, which this program can begin. */
  readonly isSignInOver?: true;
  /** True if the sign-in is that of a client: no person can sign in with it. */
  readonly isByClient?: true;
  /** True if the renewal of the sign-in was not refused, but no attempt at it got an answer. */
  readonly isUnanswered?: true;
  /** True if a web page came instead of an answer. */
  readonly isPage?: true;
  /** True if the observer is the server that cannot be reached. */
  readonly isObserver?: true;
  /** True if the identity provider refused the scope for a refresh token, which this program had added by itself. */
  readonly isOfflineRefused?: true;
  /** True if the identity provider refused a secret or the way it was sent, and does not say which. */
  readonly isMethodUnclear?: true;
  /** True if another client has the name that the new client would get, so no client here can get a new secret. */
  readonly isNameTaken?: true;
  /** True if an OAuth endpoint refused a request; absent if the provider's metadata or keys could not be read. */
  readonly isByEndpoint?: true;
  /** True if the audience was requested by the provider’s own `audience` parameter, so `resource` can be tried. */
  readonly isDialect?: true;
  /** True if a refusal gave no reason, so that its cause is only probable. */
  readonly isUnexplained?: true;
  /** The claims that the identity provider demands at the next sign-in (OpenID Connect Core 5.5), in its own words. */
  readonly claims?: string;
  /** Whether the client could sign people in with a code instead; absent if unknown. */
  readonly isDeviceOffered?: boolean;
  /** The server's explanation of its refusal, made safe to show. */
  readonly said?: string;
  /**
   * The message without its first words, for a place whose heading already says them: only why a sign-in has ended,
   * or only where the program searched.
   */
  readonly reason?: string;
  /** The file of the failure, absolute unless the person gave a relative path. */
  readonly path?: string;
  /** True if another run has removed the saved deployment. */
  readonly isContextGone?: true;
  /** True if no program listens at the port, which is free again within a minute. */
  readonly isFreeSoon?: true;
  /** True if another run of this program has a port, or may have it. */
  readonly isOwnPort?: true;
  /** True if that run can release the port, because an assistant began its sign-in. */
  readonly isLentPort?: true;
  /** True if a sign-in has released its port for a later sign-in. */
  readonly isHandedOver?: true;
  /** True if a line in `.gitignore` would keep the file from being committed. */
  readonly isIgnorable?: true;
  /** The address of the failure, safe to show: the one that was called, if known. */
  readonly url?: string;
  /** True if an ID token was refused because nothing proves it genuine, and not because it is another person's. */
  readonly isUnproven?: true;
  /** The HTTP status of the answer. */
  readonly status?: number;
  /** True if the server knows this path but has no object of that name. */
  readonly isObjectMissing?: true;
  /** The scopes that the server demanded when it denied access (RFC 6750 3.1), safe to show. */
  readonly demanded?: readonly string[];
  /** The scopes that the next sign-in has to ask for. */
  readonly toRequest?: readonly string[];
  /** How the person has to sign in, as the server demands it (RFC 9470 3). */
  readonly level?: {readonly acrValues?: string; readonly maxAge?: number};
  /** The origin of the server. */
  readonly server?: string;
  /** The flag whose value is wrong, or that would supply a missing value; without its dashes. */
  readonly flag?: string;
  /** The server's own name for itself, if it differs from the address that was called. */
  readonly called?: string;
  /** The issuer that the platform trusts, and the other one that the person named. */
  readonly issuers?: {readonly trusted: string; readonly given: string};
  /** True if no byte of a request can have reached the server, so that nothing was carried out. */
  readonly isUnsent?: true;
  /** How long a busy server asks clients to wait, in milliseconds (RFC 9110 10.2.3). */
  readonly retryAfter?: number;
};

/** What to do about a failure: advice, the advice of another code, or several of these. */
export type Remedy = Advice | {readonly of: ErrorCode} | readonly Remedy[];

/** Replaces each code in a remedy by its advice. @param of returns the advice of a code */
export const adviceIn = (remedy: Remedy, of: (code: ErrorCode) => Advice): Advice => {
  if (Array.isArray(remedy)) return (remedy as readonly Remedy[]).map(one => adviceIn(one, of));
  return typeof remedy === 'object' && 'of' in remedy ? of(remedy.of) : (remedy as Advice);
};

/** A failure that a person can act on: what happened, at which address, and what to do next. */
export class SetupError extends Error {
  /** The facts of the failure, for code that reacts to it: never search the message instead. */
  readonly about: About;
  override readonly name = 'SetupError';
  readonly code: ErrorCode;
  /** What to do next, if that differs from the advice of its code. */
  declare readonly remedy?: Remedy;

  constructor(
    code: ErrorCode,
    message: string,
    options: {cause?: unknown; remedy?: Remedy | undefined; about?: About} = {},
  ) {
    super(message, 'cause' in options ? {cause: options.cause} : {});
    this.code = code;
    this.about = withServer(options.about ?? {});
    if (options.remedy !== undefined) this.remedy = options.remedy;
  }

  /** Returns the same failure with further facts. */
  with(about: About): SetupError {
    return this.#again(this.message, this.remedy, about);
  }

  /** Returns the same failure with a text after its message, and another remedy if one is given. */
  saying(more: string, remedy: Remedy | undefined = this.remedy): SetupError {
    return more === '' && remedy === this.remedy ? this : this.#again(`${this.message}${more}`, remedy, {});
  }

  /** Returns the same failure with another sentence after its remedy. */
  advising(more: Remedy): SetupError {
    return this.#again(this.message, [this.remedy ?? {of: this.code}, more], {});
  }

  #again(message: string, remedy: Remedy | undefined, about: About): SetupError {
    return new SetupError(this.code, message, {
      ...('cause' in this ? {cause: this.cause} : {}),
      remedy,
      about: {...this.about, ...about},
    });
  }
}

/** An error whose remedy is a text that can be shown as it is. */
export type WordedError = SetupError & {readonly remedy: string};

/** Creates an error whose remedy is a text. */
export const wordedError = (
  code: ErrorCode,
  message: string,
  options: {readonly cause?: unknown; readonly remedy: string; readonly about?: About},
): WordedError => new SetupError(code, message, options) as WordedError;

/** Derives the server from the address. */
const withServer = (about: About): About =>
  about.url === undefined || about.server !== undefined || !URL.canParse(about.url)
    ? about
    : {...about, server: new URL(about.url).origin};

/** Returns the SetupError inside `error`, however a library has wrapped it; undefined if there is none. */
export const findSetupError = (error: unknown): SetupError | undefined => {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if (at instanceof SetupError) return at;
  }
  return undefined;
};

/**
 * Returns `error` as a SetupError. An error that was not translated is a fault of this program, not of the person,
 * unless the home or the working directory is missing, or a limit of the system was reached.
 */
export const toSetupError = (error: unknown): SetupError => {
  const known = findSetupError(error);
  if (known) return known;
  if (error instanceof HomeUnknown) {
    return new SetupError('input-required', error.message, {
      cause: error,
      remedy: 'Set HOME, or pass --setup-home DIR, a directory where this program can keep its files.',
      about: {flag: 'setup-home'},
    });
  }
  if (error instanceof Error && 'syscall' in error && error.syscall === 'uv_cwd') {
    return new SetupError('local-read-failed', 'The directory that you are in does not exist any more.', {
      cause: error,
      remedy: 'Change to another directory, then run this again.',
    });
  }
  const limit = limitIn(error);
  if (limit !== undefined) return new SetupError('local-limit-reached', limit, {cause: error, remedy: LIMIT_REMEDY});
  return new SetupError('bug', error instanceof Error ? error.message : String(error), {cause: error});
};

export const cancelled = () => new SetupError('cancelled', 'Cancelled.');

/** Rethrows an error that occurred before a request was sent. A SetupError is marked: nothing was carried out. */
export const throwUnsent = (error: unknown): never => {
  throw error instanceof SetupError ? error.with({isUnsent: true}) : error;
};
