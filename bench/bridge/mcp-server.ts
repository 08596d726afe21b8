import {createServer} from 'node:http';

/**
 * An MCP server that costs almost nothing, in a process of its own, so that the bridge in front of it is measured.
 * Prints its address. It answers `initialize`, and every other request with some two kilobytes, as events.
 */
const text = 'x'.repeat(2_000);
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', chunk => chunks.push(chunk));
  request.on('end', () => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const {id, method} = JSON.parse(Buffer.concat(chunks).toString());
    if (id === undefined) return void response.writeHead(202).end();
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {tools: {}},
      serverInfo: {name: 'bench', version: '1'},
    };
    const result = method === 'initialize' ? hello : {content: [{type: 'text', text}]};
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      ...(method === 'initialize' ? {'Mcp-Session-Id': 'bench'} : {}),
    });
    response.end(`event: message\ndata: ${JSON.stringify({jsonrpc: '2.0', id, result})}\n\n`);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.stdin.resume().on('end', () => process.exit(0));
