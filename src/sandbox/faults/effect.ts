import type {JWTPayload} from 'jose';
import type {Service} from '../../platform/platform.ts';
import type {Handler} from '../http/handler.ts';
import type {Certificate} from '../http/loopback-listener.ts';
import type {Application} from '../identity/applications/applications.ts';

/** What stands in front of a handler and may answer in its place. */
export type Wrap = (handler: Handler) => Handler;

/** Authorization server metadata (RFC 8414 2). */
export type Metadata = Readonly<Record<string, unknown>>;

/** An access, ID or refresh token, or what a sign-in without a browser ends with. */
export type TokenKind = 'access' | 'id' | 'refresh' | 'assertion';

/** Where a fault gets hold of the sandbox. Most faults need one of these. */
export type Effect = {
  readonly before?: {readonly [S in Service]?: Wrap};
  /** Answers in the place of the MCP servers, once the token was found good. */
  readonly mcp?: Handler;
  /** The MCP servers take only tokens with this scope. */
  readonly demandedScope?: string;
  /** After how many requests the MCP servers forget a session. */
  readonly requestsOfSession?: number;
  /** The MCP servers close the connection where the answer to a tool call should come. */
  readonly toolCallsBreakOff?: true;
  readonly metadata?: (metadata: Metadata) => Metadata;
  readonly tokenClaims?: (claims: JWTPayload, kind: TokenKind) => JWTPayload;
  readonly accessTokenFormat?: 'opaque';
  /** The servers look at the audience of tokens, whatever else they do. */
  readonly audienceCounts?: true;
  /** What the control plane says of itself. */
  readonly version?: (version: Metadata) => Metadata;
  /** The lifetime of the CLI's access tokens in seconds. */
  readonly cliTokenLifetime?: number;
  /** The CLI's client as it is registered; undefined when it is not. */
  readonly cliClient?: (client: Application) => Application | undefined;
  /** How far the clock by which the servers judge tokens is from this machine's, in milliseconds. */
  readonly clockOffset?: number;
  /** What everything is served with over https. */
  readonly certificate?: Certificate;
  readonly observerListens?: false;
  readonly holdsCallbackPort?: true;
};
