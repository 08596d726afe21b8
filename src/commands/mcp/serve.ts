import {createAccess} from '../../bridge/access.ts';
import {serve} from '../../bridge/serve.ts';
import type {CommandHandler, Invocation} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/current-context.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import {fileVersion} from '../../ports/files/file-version.ts';
import type {Ports} from '../../ports/ports.ts';
import {keepMemorySmall} from '../../ports/processes/memory.ts';

const servers: readonly McpServer[] = ['control-plane', 'observability'];

/**
 * `setup mcp serve`: what an assistant starts to talk to one of the platform's servers. Standard output carries messages
 * only. A context that is not there, or a sign-in that has ended, is said to the assistant, request by request: of a
 * program that has ended it would show nothing.
 */
export const runMcpServe: CommandHandler = async invocation => {
  const {args, terminal, signal} = invocation;
  const server = servers.find(one => one === args[0]);
  if (!server) {
    const given = args[0] === undefined ? 'It needs a server' : `There is no server called ${args[0]}`;
    throw new SetupError('input-usage', `${given}: control-plane or observability.`);
  }
  // First, because it loads on while the rest is got ready.
  const ports = portsOf(invocation, {lasts: true});
  const {streams} = ports;
  streams.prepare();
  const stop = new AbortController();
  const access = createAccess({server, findContext: contextFinder(invocation), fileVersion}, ports, stop.signal);
  // While the first message is on its way. What is wrong with the sign-in is the answer to that message.
  Promise.resolve(access.current()).catch(() => {});
  const {stdin, stdout, stderr} = terminal;
  const log = (sentence: string) => void stderr.write(`${sentence}\n`);
  try {
    await serve({stdin, stdout, access, streams, clock: ports.clock, log, started: keepMemorySmall}, signal);
  } finally {
    stop.abort();
  }
};

/** The named context; else the first that was the current one, for as long as there is one of its name. */
const contextFinder = (invocation: Invocation) => {
  const {context: named} = invocation.flags;
  let first: string | undefined;
  return async (ports: Ports) => {
    if (named !== undefined) return currentContext(ports, invocation);
    const {contexts} = await ports.config.read();
    const known = contexts.some(({name}) => name === first) && first !== undefined ? {context: first} : {};
    const context = await currentContext(ports, {...invocation, flags: {...invocation.flags, ...known}});
    first = context.name;
    return context;
  };
};
