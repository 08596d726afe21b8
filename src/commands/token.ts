import type {CommandHandler} from '../command-line/command.ts';
import {currentContext} from '../command-line/current-context.ts';
import type {FlagValues} from '../command-line/flags.ts';
import {finish} from '../command-line/output/finish.ts';
import {portsOf} from '../command-line/ports-of.ts';
import type {McpServer} from '../domain/mcp-servers.ts';
import {contextFor, type TokenContext} from '../domain/sign-in/server-tokens.ts';
import {SetupError} from '../errors/errors.ts';
import {accessToken, accessTokenInstead, renewIfDue} from '../flows/sign-in/entry.ts';
import type {Ports} from '../ports/ports.ts';

/** `setup token`: a valid access token on standard output, and nothing else; for one server where each has its own. */
export const runToken: CommandHandler = async invocation => {
  const {flags, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, invocation);
  const asked = contextFor(context, serverIn(flags));
  if (flags['if-due']) return finish(renewIfDue(asked, ports, signal));
  const token = flags.renew
    ? await finish(
        accessTokenInstead({context: asked, refused: await keptToken(asked, ports), despite: 'all'}, ports, signal),
      )
    : await finish(accessToken(asked, ports, signal));
  if (flags.json) {
    const expiresAt = token.expiresAt === undefined ? undefined : new Date(token.expiresAt).toISOString();
    terminal.stdout.write(`${JSON.stringify({accessToken: token.accessToken, expiresAt, context: context.name})}\n`);
    return;
  }
  if (flags['mcp-header']) {
    terminal.stdout.write(`${JSON.stringify({Authorization: `Bearer ${token.accessToken}`})}\n`);
    return;
  }
  terminal.stdout.write(`${flags.header ? 'Authorization: Bearer ' : ''}${token.accessToken}\n`);
};

/** The token that a person wants another one of. */
const keptToken = async (context: TokenContext, {credentials}: Ports) =>
  (await credentials.get(context))?.accessToken ?? '';

const serverIn = ({server = 'control-plane'}: FlagValues): McpServer => {
  if (server === 'control-plane' || server === 'observability') return server;
  throw new SetupError('input-invalid', `There is no server ${server}.`, {
    remedy: '--server is control-plane or observability.',
  });
};
