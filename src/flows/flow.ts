import type {Source} from '../domain/context.ts';
import type {Outcome} from '../domain/finding.ts';
import type {McpServer} from '../domain/mcp-servers.ts';
import type {ToolCost} from '../domain/tool-sets.ts';
import type {Layout, Service} from '../platform/platform.ts';
import type {CallEvent, Ports} from '../ports/ports.ts';

export type FileChange = 'new' | 'changed' | 'unchanged' | 'removed';

type Events = {
  'source-started': {readonly source: Source};
  'source-answered': {
    readonly source: Source;
    readonly outcome: 'found' | 'absent' | 'failed';
    /** What was found, or why nothing was. */
    readonly detail: string;
    readonly ms: number;
  };
  /** `atMost` is the longest that an answer is waited for, in milliseconds. */
  'probe-started': {readonly service: Service; readonly url: string; readonly atMost: number};
  'probe-answered': {
    readonly service: Service;
    readonly url: string;
    readonly outcome: 'up' | 'unhealthy' | 'down';
    readonly detail: string;
    readonly ms: number;
  };
  /** A base domain has a company file. Whether it counts is for the person to say. */
  'company-file-found': {readonly source: string; readonly name: string};
  'layout-decided': {readonly baseDomain: string; readonly layout: Layout | 'unknown'; readonly evidence: string};
  'application-found': {readonly applicationId: string; readonly by: 'given' | 'authorization-redirect'};
  'admin-signed-in': {readonly username: string};
  'client-created': {readonly clientId: string};
  'token-obtained': {
    readonly account: string;
    /** Milliseconds since the epoch; absent when the identity provider did not say. */
    readonly expiresAt?: number;
    /** The first characters of the token's SHA-256: enough to tell two tokens apart, useless as one. */
    readonly fingerprint: string;
    /** Whether it can be renewed without the person. */
    readonly renewable: boolean;
    /** The server that the token is for alone; absent for the sign-in itself. */
    readonly server?: McpServer;
  };
  'secret-taken': {readonly clientId: string; readonly from: string};
  'cli-client-found': {readonly clientId: string; readonly scopes: readonly string[]};
  /** A person is asked once more: for a server that is a resource of its own, and takes only tokens for that. */
  'second-sign-in': {readonly resource: string};
  /** The address is the authorization request: its state is of use to nobody but this attempt. */
  'sign-in-waiting': {
    readonly url: string;
    readonly redirectUri: string;
    /** When the time is up, in milliseconds since the epoch. */
    readonly until: number;
    /** Whether the answer is taken here, or only by paste. */
    readonly listening: boolean;
    /** Whether a sign-in with a code is offered instead. */
    readonly device: boolean;
  };
  /** The port that the browser returns to is held by a closed connection; it is tried until then, in milliseconds since the epoch. */
  'port-awaited': {readonly port: number; readonly until: number};
  'browser-opened': {readonly opened: boolean};
  /** What was pasted holds no answer, or that of another sign-in. */
  'paste-refused': {readonly because: 'no-answer' | 'other-sign-in' | 'sign-in-address' | 'error-page'};
  'device-code': {
    readonly verificationUri: string;
    readonly userCode: string;
    readonly until: number;
    /** The address with the code in it (RFC 8628 3.3.1), where there is one. */
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
  /** The account has no role yet, and one is looked for until then, in milliseconds since the epoch. */
  'role-awaited': {readonly until: number};
  'server-checked': ToolCost & {readonly server: McpServer; readonly url: string; readonly ms: number};
  'assistant-found': {readonly id: string; readonly name: string; readonly version?: string};
  /** The names of the assistants that are here, as far as that shows without starting anything. */
  'assistants-seen': {readonly names: readonly string[]};
  /** An organisation has connected it by a file of its own. */
  'assistant-provided': {readonly id: string; readonly name: string; readonly path: string};
  /** Of all that were asked for, by their files and by their commands. */
  'no-assistant-found': object;
  /** Whether the identity provider takes an assistant's own sign-in. */
  'oauth-client-checked': {readonly assistant: string; readonly taken: boolean};
  'file-planned': {
    readonly path: string;
    /** Which file changes, where the path leads to it by a link. */
    readonly leadsTo?: string;
    readonly change: FileChange;
    readonly summary: string;
    readonly diff: string;
  };
  'file-written': {readonly path: string; readonly leadsTo?: string; readonly change: FileChange};
  /** Another process writes or removes entries, and this one waits until it has. */
  'setup-awaited': object;
  'server-verified': ToolCost & {
    /** The assistant whose entry it was. */
    readonly assistant: string;
    readonly server: McpServer;
    readonly path: string;
    /** Where it leads, for an entry with an address. */
    readonly url?: string;
    /** What is started, for an entry that starts a program. */
    readonly command?: string;
    readonly ms: number;
  };
  'check-started': {readonly id: string};
  'check-finished': {readonly outcome: Outcome};
  warning: {readonly message: string};
};

/** What a running flow tells the world. One line in `Events` adds one. No secret is ever in it. */
export type FlowEvent = {[T in keyof Events]: {readonly type: T} & Events[T]}[keyof Events] | CallEvent;

export type Tell = (event: FlowEvent) => void;

/** What a flow runs with: the world, when to stop, and who is told what happens. */
export type Run = {readonly ports: Ports; readonly signal: AbortSignal; readonly tell: Tell};

/** A unit of work: tells what happens as it happens, returns its result, throws SetupError. Never asks, prints or exits. */
export type Flow<Input, Output> = (input: Input, run: Run) => Promise<Output>;
