import type {Source} from '../domain/context.ts';
import type {Outcome} from '../domain/finding.ts';
import type {McpServer} from '../domain/mcp-servers.ts';
import type {ToolCost} from '../domain/tool-sets.ts';
import type {KnownFault} from '../errors/known-fault.ts';
import type {Layout, Service} from '../platform/platform.ts';
import type {CallEvent, Ports} from '../ports/ports.ts';

export type FileChange = 'new' | 'changed' | 'unchanged' | 'removed';

type Events = {
  'source-started': {readonly source: Source};
  'source-answered': {
    readonly source: Source;
    readonly outcome: 'found' | 'absent' | 'failed';
    /** The value that was found, or the reason why none was. */
    readonly detail: string;
    readonly ms: number;
  };
  /** `atMost` is the longest wait for an answer, in milliseconds. */
  'probe-started': {readonly service: Service; readonly url: string; readonly atMost: number};
  'probe-answered': {
    readonly service: Service;
    readonly url: string;
    readonly outcome: 'up' | 'unhealthy' | 'down';
    readonly detail: string;
    readonly ms: number;
  };
  /** A base domain has a company file. The person decides whether it is used. */
  'company-file-found': {readonly source: string; readonly name: string};
  'layout-decided': {readonly baseDomain: string; readonly layout: Layout | 'unknown'; readonly evidence: string};
  'application-found': {readonly applicationId: string; readonly by: 'given' | 'authorization-redirect'};
  'admin-signed-in': {readonly username: string};
  /** `isReset`: the client existed before, and has got a new secret. */
  'client-created': {readonly clientId: string; readonly isReset?: true};
  'token-obtained': {
    readonly account: string;
    /** Milliseconds since the epoch; absent when the identity provider did not say. */
    readonly expiresAt?: number;
    /** The first characters of the token's SHA-256: enough to tell two tokens apart, useless as a token. */
    readonly fingerprint: string;
    /** Whether it can be renewed without the person. */
    readonly renewable: boolean;
    /** The only server that the token is for; absent for the sign-in itself. */
    readonly server?: McpServer;
  };
  'secret-taken': {readonly clientId: string; readonly from: string};
  'cli-client-found': {readonly clientId: string; readonly scopes: readonly string[]};
  /**
   * The person has to sign in once more, for a server that is a resource of its own and accepts only tokens for that
   * resource.
   */
  'second-sign-in': {readonly resource: string};
  /** The address is the authorization request; only this attempt can use its state. */
  'sign-in-waiting': {
    readonly url: string;
    readonly redirectUri: string;
    /** When the time is up, in milliseconds since the epoch. */
    readonly until: number;
    /** Whether this program receives the answer, or only a pasted one. */
    readonly listening: boolean;
    /** Whether a sign-in with a code is offered instead. */
    readonly device: boolean;
  };
  /**
   * A closed connection holds the port that the browser returns to. This program tries the port until `until`, in
   * milliseconds since the epoch.
   */
  'port-awaited': {readonly port: number; readonly until: number};
  'browser-opened': {readonly opened: boolean};
  /** The pasted text has no answer, or the answer to another sign-in. `reason` is what an error page says. */
  'paste-refused': {
    readonly because: 'no-answer' | 'other-sign-in' | 'sign-in-address' | 'error-page';
    readonly reason?: string;
  };
  'device-code': {
    readonly verificationUri: string;
    readonly userCode: string;
    readonly until: number;
    /** The address with the code in it (RFC 8628 3.3.1), if there is one. */
    readonly complete?: string;
  };
  'token-revoked': {
    readonly account: string;
    readonly outcome: 'revoked' | 'not-offered' | 'refused' | 'failed' | 'nothing' | 'shared' | 'unread';
  };
  'health-checked': {readonly service: Service; readonly url: string; readonly ms: number};
  'token-checked': {
    readonly issuer?: string;
    readonly audience?: readonly string[];
    readonly warnings: readonly string[];
  };
  /**
   * The account has no role yet. This program looks for a role until `until`, in milliseconds since the epoch.
   * `missing` says which role, and how it is granted; absent if the person has just read that.
   */
  'role-awaited': {readonly until: number; readonly missing?: KnownFault};
  'server-checked': ToolCost & {readonly server: McpServer; readonly url: string; readonly ms: number};
  'assistant-found': {readonly id: string; readonly name: string; readonly version?: string};
  /** The names of the assistants on this machine, as far as that shows without starting anything. */
  'assistants-seen': {readonly names: readonly string[]};
  /** An organisation has connected the assistant by a file of its own. */
  'assistant-provided': {readonly id: string; readonly name: string; readonly path: string};
  /** None of the requested assistants was found, by their files or by their commands. */
  'no-assistant-found': object;
  /** Whether the identity provider accepts an assistant's own sign-in. */
  'oauth-client-checked': {readonly assistant: string; readonly taken: boolean};
  'file-planned': {
    readonly path: string;
    /** The file that changes, if the path leads to it by a link. */
    readonly leadsTo?: string;
    readonly change: FileChange;
    readonly summary: string;
    readonly diff: string;
  };
  'file-written': {readonly path: string; readonly leadsTo?: string; readonly change: FileChange};
  /** Another process writes or removes entries, and this one waits until that has finished. */
  'setup-awaited': object;
  'server-verified': ToolCost & {
    /** The assistant whose entry was verified. */
    readonly assistant: string;
    readonly server: McpServer;
    readonly path: string;
    /** The address that the entry leads to, if it has one. */
    readonly url?: string;
    /** The program that the entry starts, if it starts one. */
    readonly command?: string;
    readonly ms: number;
  };
  'check-started': {readonly id: string};
  'check-finished': {readonly outcome: Outcome};
  warning: {readonly message: string};
};

/** An event of a running flow. Each member of `Events` is one kind of event. No event contains a secret. */
export type FlowEvent = {[T in keyof Events]: {readonly type: T} & Events[T]}[keyof Events] | CallEvent;

export type Tell = (event: FlowEvent) => void;

/** The inputs that every flow gets: the ports, the signal that stops it, and the function that receives its events. */
export type Run = {readonly ports: Ports; readonly signal: AbortSignal; readonly tell: Tell};

/**
 * A unit of work: reports events as they happen, returns its result, throws SetupError. Never asks, prints or exits.
 */
export type Flow<Input, Output> = (input: Input, run: Run) => Promise<Output>;

/**
 * Returns a run of a flow whose events are dropped, except warnings.
 *
 * @param warn receives the warnings
 */
export const quietRun = (ports: Ports, signal: AbortSignal, warn: (message: string) => void = () => {}): Run => ({
  ports,
  signal,
  tell: event => {
    if (event.type === 'warning') warn(event.message);
  },
});

/** The sentence to show for the event `setup-awaited`. */
export const setupAwaited = 'Another setup is changing assistants. Waiting until it is done…';
