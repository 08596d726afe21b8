import type {Context} from '../context.ts';
import type {McpServer} from '../mcp-servers.ts';
import type {Secret} from '../secret.ts';
import {type CredentialsKey, isSameSignIn} from './credentials.ts';

/** A server that may have tokens of its own. Those of the control plane are the sign-in's. */
export type OwnTokenServer = keyof NonNullable<Context['resources']>;

/** As which sign-in a token is got: the context's own, or the one for the resource that a server is. */
export type TokenContext = Context & Pick<CredentialsKey, 'audience'>;

/**
 * The sign-in whose token a server takes: the context's own, which serves both servers on most platforms, or the one for
 * the server's resource, where it takes no other (RFC 8707).
 */
export const contextFor = (context: Context, server: McpServer): TokenContext => {
  const resource = server === 'control-plane' ? undefined : context.resources?.[server];
  return resource === undefined ? context : {...context, resource, audience: resource};
};

/** Every sign-in that is kept of a context: its own comes first. */
export const signInsOf = (context: Context): readonly TokenContext[] =>
  context.resources?.observability === undefined ? [context] : [context, contextFor(context, 'observability')];

/** Whether one of these contexts lives on this sign-in: then it is kept although another one lets go of it. */
export const isUsedBy = (key: CredentialsKey, contexts: readonly Context[]): boolean =>
  contexts.flatMap(signInsOf).some(one => isSameSignIn(one, key));

/** What is asked for as `resource` (RFC 8707 2); nothing where the identity provider has refused what there is. */
export const askedResource = ({resource}: Pick<Context, 'resource'>): string | undefined =>
  resource === 'none' ? undefined : resource;

/** The access tokens of this run: the sign-in's, and those that a server has of its own. */
export type RunTokens = {readonly signIn: Secret} & ServerTokens;

/** The access tokens that servers have of their own. */
export type ServerTokens = {readonly [S in OwnTokenServer]?: Secret};

/** The one of them that a server takes. */
export const tokenFor = (server: McpServer, tokens: RunTokens): Secret => ownIn(server, tokens) ?? tokens.signIn;

/** Whether that is one of its own. */
export const hasOwnToken = (server: McpServer, tokens: RunTokens): boolean => ownIn(server, tokens) !== undefined;

const ownIn = (server: McpServer, tokens: RunTokens) => (server === 'control-plane' ? undefined : tokens[server]);
