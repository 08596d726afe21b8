import type {Assistant} from '../../assistants/assistant.ts';
import type {Place} from '../../assistants/place.ts';
import type {ErrorCode} from '../../errors.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Ports} from '../../ports/ports.ts';
import type {Config, Context} from '../../ports/storage.ts';
import type {OwnCommand} from '../assistant-entry.ts';
import type {Tell} from '../reporting.ts';
import type {TokenSet} from '../token-set.ts';

export type Verdict = 'pass' | 'warning' | 'fail' | 'skipped';

/** What can be done about an outcome by this program itself. */
export type Fix = 'sign-in' | 'tighten' | 'reconnect';

/** What a check found. */
export type Finding = {
  readonly verdict: Verdict;
  /** What was seen, in a few words: an address, a number, a name. */
  readonly saw: string;
  /** What it means, where it is not simply well. */
  readonly sentence?: string;
  /** What to do about it. */
  readonly remedy?: string;
  readonly code?: ErrorCode;
  readonly fix?: Fix;
  /** The check whose ground is gone. */
  readonly because?: string;
};

/** A finding with the check that it is of. */
export type Outcome = Finding & {
  readonly id: string;
  readonly title: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
};

/** The deployment that is looked at: a saved one, or one whose addresses were given. */
export type Subject = {
  readonly platform: Platform;
  readonly context?: Context;
  readonly controlPlaneUrl: string;
  readonly observerUrl?: string;
  readonly authUrl: string;
  readonly issuer: string;
};

/** What is known of this machine and of this program without looking. */
export type Machine = {
  readonly node: string;
  readonly version: string;
  /** Proxy variables that are set, without what they hold of a password. */
  readonly proxies: Readonly<Record<string, string>>;
  /** Whether NODE_TLS_REJECT_UNAUTHORIZED switches certificates off for everything that Node runs. */
  readonly distrusts: boolean;
  readonly place: Place;
  readonly own: OwnCommand;
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
  readonly tell: Tell;
  readonly learned: Learned;
  /** How another check ended; only of checks that this one needs, or that come before it. */
  readonly outcomeOf: (id: string) => Promise<Finding | undefined>;
};

/** One question that is asked of the machine, the network or the platform. What it throws is a failure. */
export type Check = {
  readonly id: string;
  readonly title: string;
  /** Checks without which this one has no ground. */
  readonly needs: readonly string[];
  run(scene: Scene): Promise<Finding>;
};

/** The command that signs in again: it brings a token of now in the place of the one that is kept. */
export const loginCommand = ({context}: Subject): string =>
  context ? `npx setup login --context ${context.name}` : 'npx setup login';

export const pass = (saw: string): Finding => ({verdict: 'pass', saw});

export const warn = (saw: string, sentence: string, remedy: string, fix?: Fix): Finding => ({
  verdict: 'warning',
  saw,
  sentence,
  remedy,
  ...(fix ? {fix} : {}),
});
