import {text} from 'node:stream/consumers';
import {serve} from '../../support/server.ts';
import {type Script, scriptOf} from './script.ts';

/** Starts a language model on loopback that follows a script, in the Gemini API. See `modelFor`. */
export const geminiModelFor = async (script: Script) => {
  const {next, results, note, offered} = scriptOf(script);
  const url = await serve(async (request, response) => {
    const body: Body = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    for (const {functionResponse} of body.contents?.at(-1)?.parts ?? []) {
      if (functionResponse) note(functionResponse.response);
    }
    const names = (body.tools ?? []).flatMap(({functionDeclarations = []}) => functionDeclarations);
    const said = next(names.map(({name}) => name));
    const part = 'tool' in said ? {functionCall: {name: said.tool, args: said.input ?? {}}} : said;
    const answer = {
      candidates: [{index: 0, content: {role: 'model', parts: [part]}, finishReason: 'STOP'}],
      usageMetadata: {promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2},
    };
    if (request.url?.includes(':streamGenerateContent')) {
      response.writeHead(200, {'Content-Type': 'text/event-stream'}).end(`data: ${JSON.stringify(answer)}\n\n`);
    } else {
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(answer));
    }
  });
  return {url, results, offered};
};

type Body = {
  readonly tools?: readonly {readonly functionDeclarations?: readonly {readonly name: string}[]}[];
  readonly contents?: readonly {
    readonly parts?: readonly {readonly functionResponse?: {readonly response: unknown}}[];
  }[];
};
