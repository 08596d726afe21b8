import {text} from 'node:stream/consumers';
import {serve} from '../../support/server.ts';
import {type Script, scriptOf, type Turn} from './script.ts';

/** Starts a language model on loopback that follows a script, in OpenAI's chat completions API. See `modelFor`. */
export const openAiModelFor = async (script: Script) => {
  const {next, results, note, offered} = scriptOf(script);
  const url = await serve(async (request, response) => {
    const body: Body = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    const last = body.messages?.at(-1);
    if (last?.role === 'tool') note(last.content);
    const said = next((body.tools ?? []).map(one => one.function.name));
    const finish_reason = 'tool' in said ? 'tool_calls' : 'stop';
    const chunk = {
      id: `chatcmpl-${crypto.randomUUID()}`,
      object: 'chat.completion.chunk',
      created: 0,
      model: body.model,
      choices: [{index: 0, delta: deltaOf(said), finish_reason}],
      usage: {prompt_tokens: 1, completion_tokens: 1, total_tokens: 2},
    };
    response.writeHead(200, {'Content-Type': 'text/event-stream'});
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  });
  return {url, results, offered};
};

type Body = {
  readonly model?: string;
  readonly tools?: readonly {readonly function: {readonly name: string}}[];
  readonly messages?: readonly {readonly role: string; readonly content?: unknown}[];
};

const deltaOf = (turn: Turn) => {
  if ('text' in turn) return {role: 'assistant', content: turn.text};
  const call = {name: turn.tool, arguments: JSON.stringify(turn.input ?? {})};
  return {
    role: 'assistant',
    tool_calls: [{index: 0, id: `call_${crypto.randomUUID()}`, type: 'function', function: call}],
  };
};
