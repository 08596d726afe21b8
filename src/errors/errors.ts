import {type Remedy, sayRemedy} from './error-row.ts';
import {errorTable, type Whose} from './error-table.ts';
import {HomeUnknown} from './home-unknown.ts';
import {limitIn} from './system-limit.ts';

export type {Whose} from './error-table.ts';

export type ErrorCode = keyof typeof errorTable;

type FamilyOf<C extends string> = C extends `${infer F}-${string}` ? F : C;

/** What kind of failure a code is of, which its exit code goes by. */
export type Family = FamilyOf<ErrorCode>;

/** @returns `network` for `network-refused` */
export const familyOf = (code: ErrorCode): Family => code.split('-', 1)[0] as Family;

export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

/** Facts of a failure. */
export type About = {
  /** An origin whose certificate comes from an authority that is not trusted here. */
  readonly untrusted?: string;
  /** Set where nothing but another sign-in helps, which this program can begin. */
  readonly isSignInOver?: true;
  /** Set where a web page came in the place of an answer. */
  readonly isPage?: true;
  /** Set where it is the observer that cannot be reached. */
  readonly isObserver?: true;
  /** Set where the scope for a refresh token was refused, which this program had added by itself. */
  readonly isOfflineRefused?: true;
  /** Set where a secret was refused, or the way it was sent, and the identity provider does not say which. */
  readonly isMethodUnclear?: true;
  /** Set where an OAuth endpoint itself refused a request, and not its metadata or keys could not be had. */
  readonly isByEndpoint?: true;
  /** Set where an audience was refused that was asked for in the dialect of one kind of identity provider. */
  readonly isDialect?: true;
  /** Set where a refusal had no reason with it, so that its cause is only likely. */
  readonly isUnexplained?: true;
  /** What the identity provider wants proven at the next sign-in (OpenID Connect Core 5.5), as it said. */
  readonly claims?: string;
  /** Whether the client could sign people in with a code instead, where that was found out. */
  readonly isDeviceOffered?: boolean;
  /** What a server said when it refused, made safe to show. */
  readonly said?: string;
  /** The message without its beginning, for where a heading has said that: why a sign-in has ended, where was searched. */
  readonly reason?: string;
  /** The file that it is about, absolute unless a person gave it otherwise. */
  readonly path?: string;
  /** Set where nobody listens at a port, which is free again within a minute. */
  readonly isFreeSoon?: true;
  /** Set where another run of this program has a port, or may have it. */
  readonly isOwnPort?: true;
  /** Set where that run lets go of it, as the sign-in is one that an assistant began. */
  readonly isLentPort?: true;
  /** Set where a sign-in has let go of its port for one that was begun later. */
  readonly isHandedOver?: true;
  /** Set where a line in `.gitignore` would keep the file from being committed. */
  readonly isIgnorable?: true;
  /** The address that it is about, as it may be shown: the one that was called, where that is known. */
  readonly url?: string;
  /** Set where what is wrong with an ID token is not whose it is, but that nothing shows that it is genuine. */
  readonly isUnproven?: true;
  /** The HTTP status of the answer that it is about. */
  readonly status?: number;
  /** Set where the server knows the path, and has no object of the name that is in it. */
  readonly isObjectMissing?: true;
  /** The scopes that the server demands which denied access (RFC 6750 3.1), safe to show. */
  readonly demanded?: readonly string[];
  /** The scopes that the next sign-in has to ask for. */
  readonly toRequest?: readonly string[];
  /** How the person would have to sign in, as the server demands it (RFC 9470 3). */
  readonly level?: {readonly acrValues?: string; readonly maxAge?: number};
  /** The origin of the server that it is about. */
  readonly server?: string;
  /** The flag that said what is wrong, or that says what is missing; without its dashes. */
  readonly flag?: string;
  /** What a server calls itself, where that is not the address at which it was asked. */
  readonly called?: string;
  /** The issuer that the platform trusts, and the other one that the person named. */
  readonly issuers?: {readonly trusted: string; readonly given: string};
  /** Set where no byte of a request can have reached the server, so that nothing of it was carried out. */
  readonly isUnsent?: true;
  /** How long a busy server asks to be left alone, in milliseconds (RFC 9110 10.2.3). */
  readonly retryAfter?: number;
};

/** A failure that a person can act on: what happened, to which address, and what to do next. */
export class SetupError extends Error {
  /** What it is about, for whoever decides by it: never a sentence that is searched. */
  readonly about: About;
  override readonly name = 'SetupError';
  readonly code: ErrorCode;
  readonly remedy: string;
  readonly #remedy: Remedy;

  constructor(code: ErrorCode, message: string, options: {cause?: unknown; remedy?: Remedy; about?: About} = {}) {
    super(message, 'cause' in options ? {cause: options.cause} : {});
    this.code = code;
    this.about = withServer(options.about ?? {});
    this.#remedy = options.remedy ?? errorTable[code].remedy;
    this.remedy = this.remedyBy();
  }

  /** @param signIn the command that signs in to the deployment that is meant, where that is known */
  remedyBy(signIn?: string): string {
    return sayRemedy(this.#remedy, signIn);
  }

  /** The remedy for somebody who can answer a question instead of passing a flag. */
  get advice(): string {
    return sayRemedy(this.#remedy, undefined, true);
  }

  /** The same failure, with more known of it. */
  with(about: About): SetupError {
    return this.#again(this.message, this.#remedy, about);
  }

  /** The same failure, with more said of it: what is put behind its message, and another remedy where one is given. */
  saying(more: string, remedy: Remedy = this.#remedy): SetupError {
    return more === '' && remedy === this.#remedy ? this : this.#again(`${this.message}${more}`, remedy, {});
  }

  /** The same failure, with another sentence behind what to do about it. */
  advising(more: Remedy): SetupError {
    const remedy = this.#remedy;
    const both: Remedy = (signIn, isAsked) =>
      `${sayRemedy(remedy, signIn, isAsked)} ${sayRemedy(more, signIn, isAsked)}`.trimEnd();
    return this.#again(this.message, both, {});
  }

  #again(message: string, remedy: Remedy, about: About): SetupError {
    return new SetupError(this.code, message, {
      ...('cause' in this ? {cause: this.cause} : {}),
      remedy,
      about: {...this.about, ...about},
    });
  }

  get exitCode(): number {
    return errorTable[this.code].exit;
  }

  get whose(): Whose {
    return errorTable[this.code].whose;
  }
}

/** An address tells its server. */
const withServer = (about: About): About =>
  about.url === undefined || about.server !== undefined || !URL.canParse(about.url)
    ? about
    : {...about, server: new URL(about.url).origin};

/** The SetupError inside `error`, however a library wrapped it; undefined when there is none. */
export const findSetupError = (error: unknown): SetupError | undefined => {
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if (at instanceof SetupError) return at;
  }
  return undefined;
};

/** `error` as a SetupError. What nobody translated is our bug, not the person's, unless the system gives no more. */
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
  if (limit !== undefined) return new SetupError('local-limit-reached', limit, {cause: error});
  return new SetupError('bug', error instanceof Error ? error.message : String(error), {cause: error});
};

export const cancelled = () => new SetupError('cancelled', 'Cancelled.');
