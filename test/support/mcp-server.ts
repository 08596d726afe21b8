import type {IncomingMessage} from 'node:http';
import {type Handler, json} from './server.ts';

/** An MCP server with two tools, for requests that `allows` lets through. It refuses the others. */
export const mcpServer =
  (allows: (request: IncomingMessage) => boolean = () => true): Handler =>
  async (request, response) => {
    if (!allows(request)) return json({error: 'INVALID_TOKEN'}, 401)(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const {id, method} = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const tools = ['one', 'two'].map(name => ({name, inputSchema: {}}));
    const hello = {protocolVersion: '2025-06-18', capabilities: {tools: {}}, serverInfo: {name: 'x', version: '1'}};
    json({jsonrpc: '2.0', id, result: method === 'initialize' ? hello : {tools}})(request, response);
  };
