import type {Assistant} from '../../assistants/assistant.ts';
import {flagsAsTyped} from '../../assistants/formats/command-line.ts';
import type {Place} from '../../assistants/place.ts';
import {type AccountPurpose, type Config, type Context, contextFlags} from '../../domain/context.ts';
import type {Finding, Layer} from '../../domain/finding.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import type {OwnCommand, Start} from '../../domain/own-command.ts';
import type {Secret} from '../../domain/secret.ts';
import type {SaidRequest, SignInMethod} from '../../domain/token-request.ts';
import type {ServerTokens, Token, TokenSet} from '../../domain/tokens.ts';
import type {ErrorCode} from '../../errors/errors.ts';
import {type SuggestedCommand, setup} from '../../errors/remedy.ts';
import type {ServerName} from '../../errors/verdict.ts';
import type {Platform} from '../../platform/platform.ts';
import type {HttpReply, Ports} from '../../ports/ports.ts';
import type {EntryTools} from '../assistants/verify-entries.ts';
import type {Tell} from '../flow.ts';

/** Why a sign-in failed, with the remedy as a sentence. */
export type FailedSignIn = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly remedy: string;
  /** True if the platform has been checked since: the reason may be gone, and only another sign-in can show it. */
  readonly isCheckedSince?: true;
};

/** The sign-in of a run that is under way, or one that flags name: nothing of it is stored. */
export type UnsavedSignIn = {
  readonly method: SignInMethod;
  /** Absent while the platform has not named the client yet. */
  readonly clientId?: string;
  /** Absent until the sign-in has succeeded. */
  readonly token?: Token;
  /** True if the run that has this token renews it by itself when it goes on. */
  readonly isRenewedLater?: true;
  /** Why the last attempt to sign in failed, with the remedy as a sentence. */
  readonly failure?: FailedSignIn;
  /** The tokens of servers that have their own. */
  readonly serverTokens?: ServerTokens;
  /** The secret with which the client signs in during the diagnosis, if there is no token yet. */
  readonly clientSecret?: Secret;
  /** The person's wishes for the token of that sign-in, from flags. */
  readonly requested?: SaidRequest;
  /** Other secrets that were typed or created. */
  readonly secrets: readonly Secret[];
};

/** The deployment to check: a saved one, or one whose addresses were given. */
export type Subject = {
  readonly platform: Platform;
  readonly context?: Context;
  /**
   * The sign-in of the wizard that opened the diagnosis, or from flags, if the diagnosis is not about a saved context.
   */
  readonly unsaved?: UnsavedSignIn;
  /** True if a running wizard is setting this deployment up, and nothing of it is saved. */
  readonly inWizard?: true;
  /**
   * The account that a running wizard gives the assistants, or whose purpose it changes. Without `token`, it is the
   * saved one.
   */
  readonly assistants?: {readonly purpose: AccountPurpose; readonly token?: Secret};
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /**
   * The flags that named the deployment, if it is not saved: without them a command would be about another platform.
   */
  readonly saidBy?: Readonly<Record<string, string>>;
  /** True if an unfinished setup found this deployment. */
  readonly isUnfinished?: true;
  /** True if `setup` without flags continues that setup. */
  readonly isResumable?: true;
  /** The redirect URL of that setup, if it is not the platform's own. */
  readonly redirectUri?: string;
};

/** Facts about this machine and this program that are known without a check. */
export type Machine = {
  readonly node: string;
  readonly version: string;
  /** True if NODE_TLS_REJECT_UNAUTHORIZED turns certificate checks off for everything that Node runs. */
  readonly distrusts: boolean;
  readonly place: Place;
  readonly own: OwnCommand;
  /** Returns the ways to start the copy of this program in a directory, of any version and any origin. */
  readonly startsOf: (directory: string) => readonly Start[];
  readonly assistants: readonly Assistant[];
  /** The URL to which the browser returns a person. */
  readonly redirectUri: string;
};

/** Results that checks leave for the checks that need them. */
export type Learned = {
  config?: Config;
  metadata?: Readonly<Record<string, unknown>>;
  resource?: Readonly<Record<string, unknown>>;
  token?: TokenSet;
  /** The token of a client that signed in during the diagnosis. */
  signedIn?: Token;
  /** The observability server's own token. */
  ownToken?: TokenSet;
  /** The request for the saved sign-in's token, which renews it if that is due. */
  dueRenewal?: Promise<TokenSet>;
  /** The requests for new tokens after a server refused one, by the server whose token it is. */
  renewals?: Map<McpServer, Promise<TokenSet>>;
  version?: string;
  /** The time of the server's clock, and of this machine's clock at the request, in milliseconds since the epoch. */
  clock?: {readonly server: number; readonly here: number};
};

/** Everything that a check has to work with. */
export type Scene = {
  readonly subject: Subject;
  readonly machine: Machine;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /**
   * The signal of all checks together: for work that several of them wait for, and that must not end with the time
   * limit of one.
   */
  readonly diagnosis: AbortSignal;
  readonly tell: Tell;
  readonly learned: Learned;
  /** Lists the tools through an entry of an assistant. */
  readonly toolsThrough: EntryTools;
  /** Returns how another check ended; only for checks that this one needs, or that come before it. */
  readonly outcomeOf: (id: string) => Promise<Finding | undefined>;
};

/** One question about the machine, the network or the platform. An error that it throws is a failure. */
export type Check = {
  readonly id: string;
  readonly title: string;
  /** The part of the platform that it asks, as a verdict names it. Absent if it asks none, or several. */
  readonly server?: ServerName;
  /** Set by the check's place among all checks. */
  readonly layer?: Layer;
  /** This check is skipped if one of these fails or is skipped. */
  readonly needs: readonly string[];
  /**
   * The time limit, in milliseconds; 4,000 if absent. A check that starts programs needs more, because the machine may
   * be busy.
   */
  readonly time?: number;
  /** The address to name when no answer comes in time. Absent if the check asks no server, or several. */
  address?(subject: Subject): string;
  run(scene: Scene): Promise<Finding>;
};

/**
 * Returns the command that signs in again, and so replaces the stored token. An unfinished wizard continues when it is
 * started again.
 */
export const loginCommand = (subject: Subject): SuggestedCommand => {
  const {context} = subject;
  if (context) return setup('login', contextFlags(context).join(' '));
  return isOfWizard(subject) ? setup() : setup('login', flagsOf(subject));
};

/** Whether a running wizard opened the diagnosis: its commands do not repeat as flags what the wizard was told. */
export const isOfWizard = ({unsaved, inWizard, saidBy}: Pick<Subject, 'unsaved' | 'inWizard' | 'saidBy'>): boolean =>
  (unsaved !== undefined || inWizard === true) && saidBy === undefined;

/** Returns the command that sets this deployment up, with the flags that named it, except those in `without`. */
export const setUpCommand = (subject: Subject, ...without: readonly string[]): SuggestedCommand =>
  setup('', subject.context ? `--context ${subject.context.name}` : flagsOf(subject, without));

/** Returns the command that sets this deployment up, or continues an unfinished setup, which knows more than flags. */
export const setUpOrContinue = (subject: Subject): SuggestedCommand =>
  subject.isResumable ? setup() : setUpCommand(subject);

const flagsOf = ({saidBy = {}}: Subject, without: readonly string[] = []): string =>
  flagsAsTyped(Object.fromEntries(Object.entries(saidBy).filter(([name]) => !without.includes(name))));

/** Returns how people sign in to the deployment; undefined before that is chosen. */
export const methodIn = ({context, unsaved}: Subject): SignInMethod | undefined => context?.signIn ?? unsaved?.method;

/** Returns the finding for a check that concerns only browser sign-ins, if the deployment has another sign-in. */
export const notApplicable = (subject: Subject): Finding | undefined => {
  const method = methodIn(subject);
  if (method === undefined || method === 'browser') return undefined;
  const clientId = subject.context?.clientId ?? subject.unsaved?.clientId ?? 'the client';
  return {verdict: 'skipped', saw: `${clientId} signs in with its secret, without a browser`};
};

/** Sends a GET request of a check, with a short time limit. */
export const get = ({ports, signal, tell}: Scene, url: URL): Promise<HttpReply> =>
  ports.http.send({method: 'GET', url, timeout: 3_000}, {signal, report: tell});
