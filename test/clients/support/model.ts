import {text} from 'node:stream/consumers';
import {serve} from '../../support/server.ts';

/** What the model says next: it calls a tool whose name ends so, or it is done. */
export type Turn = {readonly tool: string} | {readonly text: string};

/**
 * A language model on loopback that follows a script, in the Anthropic Messages API: an assistant has its whole
 * conversation with it and needs no account. A request that offers no tool is none of the conversation (a title, a
 * count of tokens): it gets a word and uses up no turn.
 *
 * @param turns the script; a function does something first, while the assistant waits
 */
export const modelFor = async (turns: readonly (Turn | (() => Turn))[]) => {
  const results: string[] = [];
  const left = [...turns];
  const url = await serve(async (request, response) => {
    const body: Body = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    const last = body.messages?.at(-1)?.content;
    const blocks = typeof last === 'string' || last === undefined ? [] : last;
    for (const block of blocks) if (block.type === 'tool_result') results.push(JSON.stringify(block.content));
    const next = body.tools?.length ? left.shift() : {text: 'Hello'};
    const turn = typeof next === 'function' ? next() : (next ?? {text: 'The script is over.'});
    const message = messageFor(turn, body);
    if (body.stream) {
      response.writeHead(200, {'Content-Type': 'text/event-stream'}).end(eventsOf(message));
    } else {
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(message));
    }
  });
  return {
    url,
    /** What the tools gave back, as the assistant told the model. */
    results: (): readonly string[] => results,
  };
};

type Body = {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly {readonly name: string}[];
  readonly messages?: readonly {readonly content: string | readonly Block[]}[];
};

type Block = {readonly type: string; readonly content?: unknown};

const messageFor = (turn: Turn, {model, tools = []}: Body) => ({
  id: `msg_${crypto.randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [contentOf(turn, tools)],
  stop_reason: 'tool' in turn ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: {input_tokens: 1, output_tokens: 1},
});

const contentOf = (turn: Turn, tools: NonNullable<Body['tools']>) => {
  if (!('tool' in turn)) return {type: 'text', text: turn.text};
  const name = tools.find(tool => tool.name.endsWith(turn.tool))?.name;
  if (name === undefined) return {type: 'text', text: `There is no ${turn.tool} among ${tools.map(one => one.name)}`};
  return {type: 'tool_use', id: `toolu_${crypto.randomUUID()}`, name, input: {}};
};

/** The same message as the events of a stream. */
const eventsOf = ({content, stop_reason, ...message}: ReturnType<typeof messageFor>): string => {
  const blocks = content.flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      content_block: block.type === 'tool_use' ? block : {type: 'text', text: ''},
    },
    {
      type: 'content_block_delta',
      index,
      delta:
        block.type === 'tool_use'
          ? {type: 'input_json_delta', partial_json: '{}'}
          : {type: 'text_delta', text: block.text},
    },
    {type: 'content_block_stop', index},
  ]);
  const events = [
    {type: 'message_start', message: {...message, content: [], stop_reason: null}},
    ...blocks,
    {type: 'message_delta', delta: {stop_reason, stop_sequence: null}, usage: {output_tokens: 1}},
    {type: 'message_stop'},
  ];
  return events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
};
