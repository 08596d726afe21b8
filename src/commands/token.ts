import {accessToken} from '../flows/access-token.ts';
import type {Run} from './command.ts';
import {currentContext} from './current-context.ts';
import {finish} from './finish.ts';
import {portsOf} from './ports-of.ts';

/** `setup token`: a valid access token on standard output, and nothing else. */
export const runToken: Run = async invocation => {
  const {flags, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, flags);
  const token = await finish(accessToken(context, ports, signal));
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
