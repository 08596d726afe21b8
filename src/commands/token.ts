import {actingAs} from '../command-line/acting-as.ts';
import type {CommandHandler, Invocation} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import type {FlagValues} from '../command-line/flags.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {type Context, contextForAssistants} from '../domain/context.ts';
import {type McpServer, serversOf} from '../domain/mcp-servers.ts';
import {contextFor, type TokenContext, type TokenSet, tokenDocument} from '../domain/tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {quietRun} from '../flows/flow.ts';
import {accessToken, accessTokenInstead, renewIfDue} from '../flows/sign-in/access-token.ts';
import {platformOfDeployment} from '../platform/platforms.ts';
import {textFile} from '../ports/files/text-file.ts';
import type {Env, Ports} from '../ports/ports.ts';
import {createHelperTokens, helperTokenKey} from '../store/helper-tokens.ts';
import {findOwnPaths} from '../store/own-paths.ts';

/**
 * `setup token`: prints a valid access token to standard output, and nothing else; for one server, if each has its own
 * token.
 */
export const runToken: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const {context: found, ports} = await currentContext(portsOf(invocation), invocation);
  const context = await withSignInOf(found, invocation);
  const asked = contextFor(context, serverIn(flags));
  if (flags['if-due']) return renewIfDue(asked, quietRun(ports, signal));
  const token = await obtain(asked, invocation, ports);
  if (flags.json) {
    const {accessToken, expiresAt} = token;
    terminal.stdout.writeJson(tokenDocument({accessToken, expiresAt, context: context.name}));
    return;
  }
  if (flags['mcp-header']) {
    terminal.stdout.writeJson({Authorization: `Bearer ${token.accessToken}`});
    return;
  }
  terminal.stdout.write(`${flags.header ? 'Authorization: Bearer ' : ''}${token.accessToken}\n`);
};

/**
 * Returns the context with the sign-in that the token is for. An assistant's helper gets the sign-in of the assistants'
 * own account, if they have one.
 */
const withSignInOf = async (context: Context, invocation: Invocation): Promise<Context> => {
  const {flags} = invocation;
  if (flags['mcp-header']) return contextForAssistants(context);
  // `--if-due` prints no token, so it needs no permission to act as the person.
  if (flags['if-due'] && flags.as === 'me') return context;
  return actingAs(context, invocation);
};

const obtain = async (
  context: TokenContext,
  {flags, env, signal, terminal}: Invocation,
  ports: Ports,
): Promise<TokenSet> => {
  // Standard output carries the token only, so a failure to save it goes to standard error.
  const warn = (message: string) => terminal.stderr.write(`Warning: ${message}\n`);
  if (flags.renew) {
    const refused = (await ports.credentials.get(context))?.accessToken ?? '';
    return accessTokenInstead({context, refused, despite: 'all'}, quietRun(ports, signal, warn));
  }
  const token = await accessToken(context, quietRun(ports, signal, warn));
  return flags['mcp-header'] ? unlessRefused(token, {context, server: serverIn(flags), env}, ports, signal) : token;
};

type Asked = {readonly context: TokenContext; readonly server: McpServer; readonly env: Env};

/**
 * Returns a token for an assistant, which runs its helper again if the server has refused the token. The server is
 * therefore asked about a token that was handed out a moment ago: after a change of signing keys the same token would
 * otherwise be returned until it expires.
 */
const unlessRefused = async (
  token: TokenSet,
  {context, server, env}: Asked,
  ports: Ports,
  signal: AbortSignal,
): Promise<TokenSet> => {
  const helperTokens = createHelperTokens(findOwnPaths(env).helperTokens, textFile);
  const key = helperTokenKey(context.name, server);
  const accessToken = token.accessToken;
  const url = serversOf(context, platformOfDeployment(context)).find(one => one.server === server)?.url;
  if (url === undefined || !helperTokens.isDoubtful(key, accessToken, ports.clock.now())) {
    helperTokens.note(key, accessToken, ports.clock.now());
    return token;
  }
  const {isTokenRefused} = await import('../flows/platform-tools/refused-token.ts');
  const isRefused = await isTokenRefused({url, token: accessToken}, quietRun(ports, signal));
  const taken = isRefused ? await accessTokenInstead({context, refused: accessToken}, quietRun(ports, signal)) : token;
  helperTokens.noteChecked(key, taken.accessToken, ports.clock.now());
  return taken;
};

const serverIn = ({server = 'control-plane'}: FlagValues): McpServer => {
  if (server === 'control-plane' || server === 'observability') return server;
  throw new SetupError('input-invalid', `There is no server ${server}.`, {
    remedy: 'Pass --server control-plane or --server observability.',
  });
};
