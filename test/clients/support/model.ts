import {text} from 'node:stream/consumers';
import {serve} from '../../support/server.ts';
import {type Script, scriptOf, type Turn} from './script.ts';

/**
 * Starts a language model on loopback that follows a script, in the Anthropic Messages API. An assistant has its
 * whole conversation with it and needs no account.
 */
export const modelFor = async (script: Script) => {
  const {next, results, note, offered} = scriptOf(script);
  const url = await serve(async (request, response) => {
    const body: Body = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    const last = body.messages?.at(-1)?.content;
    const blocks = typeof last === 'string' || last === undefined ? [] : last;
    for (const {type, content} of blocks) if (type === 'tool_result') note(content);
    const tools = body.tools ?? [];
    const whole = tools.filter(one => !one.defer_loading);
    const said = next(
      tools.map(({name}) => name),
      whole.map(({name}) => name),
    );
    const message = messageFor(said, body);
    if (body.stream) {
      response.writeHead(200, {'Content-Type': 'text/event-stream'}).end(eventsOf(message));
    } else {
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(message));
    }
  });
  return {url, results, offered};
};

type Body = {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly {readonly name: string; readonly defer_loading?: boolean}[];
  readonly messages?: readonly {readonly content: string | readonly Block[]}[];
};

type Block = {readonly type: string; readonly content?: unknown};

const messageFor = (turn: Turn, {model}: Body) => ({
  id: `msg_${crypto.randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [contentOf(turn)],
  stop_reason: 'tool' in turn ? 'tool_use' : 'end_turn',
  stop_sequence: null,
  usage: {input_tokens: 1, output_tokens: 1},
});

const contentOf = (turn: Turn) =>
  'tool' in turn
    ? {type: 'tool_use' as const, id: `toolu_${crypto.randomUUID()}`, name: turn.tool, input: turn.input ?? {}}
    : {type: 'text' as const, text: turn.text};

/** Returns the same message as the events of a stream. */
const eventsOf = ({content, stop_reason, ...message}: ReturnType<typeof messageFor>): string => {
  const blocks = content.flatMap((block, index) => [
    {
      type: 'content_block_start',
      index,
      // As the API does: the deltas bring the input.
      content_block: block.type === 'tool_use' ? {...block, input: {}} : {type: 'text', text: ''},
    },
    {
      type: 'content_block_delta',
      index,
      delta:
        block.type === 'tool_use'
          ? {type: 'input_json_delta', partial_json: JSON.stringify(block.input)}
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
