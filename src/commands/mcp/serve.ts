import {createAccess, type FindContext} from '../../bridge/access.ts';
import type {ConsentOptions} from '../../bridge/consent.ts';
import type {LocalServerOptions} from '../../bridge/local-server/local-server.ts';
import {createLookSwitch} from '../../bridge/look-switch.ts';
import {serve} from '../../bridge/serve.ts';
import type {CommandHandler, Invocation} from '../../command-line/command.ts';
import {currentContext} from '../../command-line/current-context.ts';
import {portsOf} from '../../command-line/ports-of.ts';
import {toolsIn} from '../../command-line/tools-flag.ts';
import {type Context, contextForAssistants, findContext} from '../../domain/context.ts';
import type {McpServer} from '../../domain/mcp-servers.ts';
import {SetupError} from '../../errors/errors.ts';
import {requestFlags, setup} from '../../errors/remedy.ts';
import {SEAL} from '../../mcp/client.ts';
import {platformOfDeployment} from '../../platform/platforms.ts';
import {readingToolsOf} from '../../platform/recognise.ts';
import {fileVersion} from '../../ports/files/file-version.ts';
import {textFile} from '../../ports/files/text-file.ts';
import type {Ports} from '../../ports/ports.ts';
import {keepMemorySmall} from '../../ports/processes/processes.ts';
import {findOwnPaths} from '../../store/own-paths.ts';
import {version} from '../../version.ts';

const servers: readonly McpServer[] = ['control-plane', 'observability'];

/**
 * `setup mcp serve`: the bridge that an assistant starts to reach one of the platform's servers. Standard output
 * carries messages only. A missing context or a sign-in that has ended is reported in the conversation, because an
 * assistant shows nothing of a program that has exited.
 */
export const runMcpServe: CommandHandler = async invocation => {
  const {args, flags, terminal, signal} = invocation;
  const server = servers.find(one => one === args[0]);
  if (!server) {
    const problem = args[0] === undefined ? 'Name a server' : `There is no server called ${args[0]}. Choose one`;
    throw new SetupError('input-usage', `${problem}: control-plane or observability.`);
  }
  // This comes first, because the network code continues to load while the rest is prepared.
  const ports = portsOf(invocation, {lasts: true});
  ports.streams.prepare();
  const stop = new AbortController();
  const {find: findContext, known} = contextFinder(invocation);
  const tools = toolsIn(flags);
  const access = createAccess({server, tools, findContext, fileVersion}, ports, stop.signal);
  // Gets the token while the first message is on its way. An error is reported in the answer to that message.
  Promise.resolve(access.current()).catch(() => {});
  const {stdin, raw: stdout, stderr} = terminal;
  const log = (sentence: string) => stderr.write(`${sentence}\n`);
  const subject = () => ({...known()?.context, ...(flags.context === undefined ? {} : {name: flags.context})});
  const causeOf = async (failure: SetupError): Promise<SetupError> => {
    const found = known();
    if (!found) return failure;
    const token = await Promise.resolve(access.current()).then(
      ({token: now}) => now,
      () => undefined,
    );
    const {mcpFailureCause} = await import('../../flows/platform-tools/mcp-failure-cause.ts');
    return mcpFailureCause(failure, {context: found.context, server, token}, found.ports, stop.signal).catch(
      () => failure,
    );
  };
  const seal = invocation.env[SEAL];
  const localServer: LocalServerOptions = {
    product: {name: 'platform-setup', version},
    changes: () => `${fileVersion(ports.config.path)} ${fileVersion(ports.credentials.path)}`,
    explain: async failure => {
      const {explainFor} = await loadRemedies();
      return explainFor(invocation, subject(), await causeOf(failure), seal !== undefined);
    },
    signIn: {
      ports,
      findContext,
      command: async asks => (await loadRemedies()).ownLine(invocation, subject(), setup('login', requestFlags(asks))),
    },
  };
  try {
    const {clock, eras} = ports;
    const reading = () => readingIn(known()?.context);
    const filter =
      tools === 'look'
        ? {isOn: () => true, reading}
        : {...lookSwitchOf(ports, () => known()?.context.name ?? flags.context), reading};
    const consent: ConsentOptions = {
      serve: async (answer, over) => {
        const {serveLocally} = await import('../../ports/processes/local-socket.ts');
        return serveLocally(findOwnPaths(invocation.env).bridges, answer, over);
      },
      context: () => (known()?.context.actsAs === 'assistants' ? known()?.context.name : undefined),
    };
    const started = keepMemorySmall;
    await serve({stdin, stdout, access, clock, eras, log, started, seal, localServer, filter, consent}, signal);
  } finally {
    stop.abort();
  }
};

const readingIn = (context: Context | undefined): readonly string[] =>
  context === undefined ? [] : readingToolsOf(platformOfDeployment(context));

/** Returns the switch by which a person lets the assistants of a context only look, as the config has it. */
const lookSwitchOf = ({config: {path}, clock}: Ports, name: () => string | undefined) =>
  createLookSwitch({
    version: () => fileVersion(path),
    read: () => {
      try {
        return findContext(JSON.parse(textFile.read(path)), name())?.onlyLook === true;
      } catch {
        return undefined;
      }
    },
    clock,
  });

/** Loads code that is needed only after an error. */
const loadRemedies = () => import('../../command-line/remedies.ts');

/**
 * Returns a function that finds the context: the named one, else the one that was current at first, as long as a
 * context of its name exists.
 */
const contextFinder = (invocation: Invocation) => {
  const {context: named} = invocation.flags;
  let last: Awaited<ReturnType<FindContext>> | undefined;
  const find: FindContext = async ports => {
    const {contexts} = await ports.config.read();
    const isThere = named === undefined && contexts.some(({name}) => name === last?.context.name);
    const flags = isThere && last ? {...invocation.flags, context: last.context.name} : invocation.flags;
    const current = await currentContext(ports, {...invocation, flags});
    last = {...current, context: contextForAssistants(current.context)};
    return last;
  };
  return {find, known: () => last};
};
