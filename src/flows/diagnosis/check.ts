import type {Assistant} from '../../assistants/assistant.ts';
import {flagsAsTyped} from '../../assistants/formats/command-line.ts';
import type {Place} from '../../assistants/place.ts';
import type {Config, Context} from '../../domain/context.ts';
import type {Finding, Layer} from '../../domain/finding.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import type {OwnCommand, Start} from '../../domain/own-command.ts';
import type {Secret} from '../../domain/secret.ts';
import type {SaidRequest, SignInMethod} from '../../domain/token-request.ts';
import type {ServerTokens, Token, TokenSet} from '../../domain/tokens.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import {SETUP} from '../../setup-command.ts';
import type {EntryTools} from '../assistants/verify-entries.ts';
import type {Tell} from '../flow.ts';

/** The sign-in of a run that is under way, or one that flags name: nothing is kept of it. */
export type UnsavedSignIn = {
  readonly method: SignInMethod;
  /** Absent while the platform has not named the client yet. */
  readonly clientId?: string;
  /** Absent until it came about. */
  readonly token?: Token;
  /** The tokens that servers have of their own. */
  readonly serverTokens?: ServerTokens;
  /** With which the client signs in during the diagnosis, where no token came about yet. */
  readonly clientSecret?: Secret;
  /** What the token of that sign-in is to be for, as flags say. */
  readonly said?: SaidRequest;
  /** What else was typed or created. */
  readonly secrets: readonly Secret[];
};

/** The deployment that is looked at: a saved one, or one whose addresses were given. */
export type Subject = {
  readonly platform: Platform;
  readonly context?: Context;
  /** Of the wizard that the diagnosis was opened from, where it is not about a saved context. */
  readonly unsaved?: UnsavedSignIn;
  /** Whether it is one that a wizard which is under way looks at, and nothing of it is saved. */
  readonly inWizard?: true;
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
  /** The flags by which it was named, where it is not saved: without them a command is about another platform. */
  readonly saidBy?: Readonly<Record<string, string>>;
  /** Whether it is the one that a setup had found which was left before its end. */
  readonly isUnfinished?: true;
  /** Where that setup would have sent a browser back to, if not to the platform's own redirect URL. */
  readonly redirectUri?: string;
};

/** What is known of this machine and of this program without looking. */
export type Machine = {
  readonly node: string;
  readonly version: string;
  /** Whether NODE_TLS_REJECT_UNAUTHORIZED switches certificates off for everything that Node runs. */
  readonly distrusts: boolean;
  readonly place: Place;
  readonly own: OwnCommand;
  /** How the copy of this program in a directory may be started, whichever version it is and whoever made it. */
  readonly startsOf: (directory: string) => readonly Start[];
  readonly assistants: readonly Assistant[];
  /** Where a browser sends a person back to. */
  readonly redirectUri: string;
};

/** What one check leaves for those that need it. */
export type Learned = {
  config?: Config;
  metadata?: Readonly<Record<string, unknown>>;
  resource?: Readonly<Record<string, unknown>>;
  token?: TokenSet;
  /** What a client got that signed in during the diagnosis. */
  signedIn?: Token;
  /** The one that the observability server has for itself. */
  ownToken?: TokenSet;
  /** What was asked for in the place of a token that a server refused, by the server whose token it is. */
  renewals?: Map<McpServer, Promise<TokenSet>>;
  version?: string;
  /** What the server's clock said, in milliseconds since the epoch, and when it was asked on ours. */
  clock?: {readonly server: number; readonly here: number};
};

/** Everything that a check has to work with. */
export type Scene = {
  readonly subject: Subject;
  readonly machine: Machine;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** Of all checks together: for work that several of them wait for, which must not end with the time of one. */
  readonly diagnosis: AbortSignal;
  readonly tell: Tell;
  readonly learned: Learned;
  /** The tools through an entry of an assistant. */
  readonly toolsThrough: EntryTools;
  /** How another check ended; only of checks that this one needs, or that come before it. */
  readonly outcomeOf: (id: string) => Promise<Finding | undefined>;
};

/** One question that is asked of the machine, the network or the platform. What it throws is a failure. */
export type Check = {
  readonly id: string;
  readonly title: string;
  /** Given by where it stands among all checks. */
  readonly layer?: Layer;
  /** Checks without which this one has no ground. */
  readonly needs: readonly string[];
  /** The most that it may take, in milliseconds; 4,000 if not given. What starts programs waits for the machine, too. */
  readonly time?: number;
  /** Whom it asks: who is named when no answer comes in time. Absent where it calls nobody, or several. */
  address?(subject: Subject): string;
  run(scene: Scene): Promise<Finding>;
};

/**
 * The command that signs in again: it brings a token of now in the place of the one that is kept. A wizard that is left
 * is gone on with by starting it again.
 */
export const loginCommand = (subject: Subject): string => {
  const {context} = subject;
  if (context) return `${SETUP} login --context ${context.name}`;
  return isOfWizard(subject) ? SETUP : `${SETUP} login${flagsOf(subject)}`;
};

/** Whether the diagnosis was opened from a wizard that is under way: what it was told is not said again by flags. */
export const isOfWizard = ({unsaved, inWizard, saidBy}: Pick<Subject, 'unsaved' | 'inWizard' | 'saidBy'>): boolean =>
  (unsaved !== undefined || inWizard === true) && saidBy === undefined;

/** The command that sets this deployment up, with the addresses by which it was named, but for those of these flags. */
export const setUpCommand = (subject: Subject, ...without: readonly string[]): string =>
  `${SETUP}${subject.context ? ` --context ${subject.context.name}` : flagsOf(subject, without)}`;

const flagsOf = ({saidBy = {}}: Subject, without: readonly string[] = []): string =>
  flagsAsTyped(Object.fromEntries(Object.entries(saidBy).filter(([name]) => !without.includes(name))));

/** How people sign in to the deployment; undefined where nobody has chosen yet. */
export const methodIn = ({context, unsaved}: Subject): SignInMethod | undefined => context?.signIn ?? unsaved?.method;

/** The finding of what only a sign-in in a browser needs, where the sign-in is another. */
export const notApplicable = (subject: Subject): Finding | undefined => {
  const method = methodIn(subject);
  if (method === undefined || method === 'browser') return undefined;
  const clientId = subject.context?.clientId ?? subject.unsaved?.clientId ?? 'the client';
  return {verdict: 'skipped', saw: `${clientId} signs in by its secret, without a browser`};
};
