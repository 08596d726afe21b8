import type {Client} from '@modelcontextprotocol/client';

/** A request of a client to a server. The results are compared. */
export type Feature = {
  readonly name: string;
  readonly ask: (client: Client) => Promise<unknown>;
};

/**
 * In milliseconds. A question cannot reach the client in an answer that is plain JSON, so a call with one waits this
 * long.
 */
const TIMEOUT = 4_000;

const call = (client: Client, name: string, args: Record<string, unknown> = {}, options = {}) =>
  client.callTool({name, arguments: args}, {timeout: TIMEOUT, ...options});

type Refusal = {readonly code?: unknown; readonly message?: unknown; readonly data?: unknown};

/** Returns the error with which a server refuses a request. */
const refusalOf = async (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    answer => ({answer}),
    (error: Refusal) => {
      const {code, message, data} = inBody(error) ?? error;
      return {code, message: String(message), data};
    },
  );

/** Returns the JSON-RPC error in the body of an HTTP error, which the SDK's transport passes on as text. */
const inBody = ({data}: Refusal): Refusal | undefined => {
  const {text} = (data ?? {}) as {readonly text?: unknown};
  try {
    return (JSON.parse(String(text)) as {readonly error?: Refusal}).error;
  } catch {
    return undefined;
  }
};

const texts = ['', 'größe 🎉 \u2028 “quoted” \\ \n', 'x'.repeat(300_000), '{"jsonrpc":"2.0"}'];

/** Every feature that is compared, each once with a server. */
export const features: readonly Feature[] = [
  {name: 'capabilities', ask: async client => client.getServerCapabilities()},
  {name: 'instructions', ask: async client => client.getInstructions()},
  {name: 'who the server is', ask: async client => client.getServerVersion()},
  {name: 'the revision', ask: async client => client.getNegotiatedProtocolVersion()},
  {name: 'tools', ask: client => client.listTools()},
  ...texts.map((text, at) => ({name: `a text, ${at}`, ask: (client: Client) => call(client, 'echo', {text})})),
  {name: 'a structured result', ask: client => call(client, 'add', {a: 2, b: 40})},
  {name: 'an image', ask: client => call(client, 'pixel')},
  {name: 'a tool that fails', ask: client => call(client, 'fail', {why: 'größe'})},
  {name: 'arguments that do not fit', ask: client => refusalOf(call(client, 'add', {a: 'two'}))},
  {name: 'a tool that is not there', ask: client => refusalOf(call(client, 'nowhere'))},
  {
    name: 'twenty calls at once',
    ask: client => Promise.all(Array.from({length: 20}, (_, at) => call(client, 'add', {a: at, b: 1}))),
  },
  {
    name: 'progress',
    ask: async client => {
      const told: unknown[] = [];
      const answer = await call(client, 'count', {to: 3}, {onprogress: (progress: unknown) => told.push(progress)});
      return {answer, told};
    },
  },
  {name: 'resources', ask: client => client.listResources()},
  {name: 'templates of resources', ask: client => client.listResourceTemplates()},
  {name: 'a resource', ask: client => client.readResource({uri: 'note://one'})},
  {name: 'a resource by its template', ask: client => client.readResource({uri: 'greeting://ann'})},
  {name: 'a resource that is not there', ask: client => refusalOf(client.readResource({uri: 'note://none'}))},
  {name: 'prompts', ask: client => client.listPrompts()},
  {name: 'a prompt', ask: client => client.getPrompt({name: 'review', arguments: {code: 'a = 1'}})},
  {name: 'a prompt that is not there', ask: client => refusalOf(client.getPrompt({name: 'none'}))},
  {
    name: 'completion',
    ask: client =>
      refusalOf(client.complete({ref: {type: 'ref/prompt', name: 'review'}, argument: {name: 'code', value: 'x'}})),
  },
  {name: 'a tool that asks the person', ask: client => refusalOf(call(client, 'ask'))},
  {name: 'a ping', ask: client => refusalOf(client.ping())},
];
