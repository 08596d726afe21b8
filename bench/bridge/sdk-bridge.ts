import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioServerTransport} from '@modelcontextprotocol/server/stdio';

/**
 * The least that a bridge of the SDK's own can be: its two raw transports back to back, with one token that never ends
 * and nothing that is made good. What one would begin with who does not write one.
 */
const [, , url = '', token = ''] = process.argv;
const assistant = new StdioServerTransport();
const server = new StreamableHTTPClientTransport(new URL(url), {
  requestInit: {headers: {Authorization: `Bearer ${token}`}},
});
assistant.onmessage = message => {
  server.send(message).catch(error => process.stderr.write(`${error}\n`));
};
server.onmessage = message => {
  const result = 'result' in message ? message.result : undefined;
  if (result && typeof result.protocolVersion === 'string') server.setProtocolVersion?.(result.protocolVersion);
  assistant.send(message).catch(error => process.stderr.write(`${error}\n`));
};
await server.start();
await assistant.start();
process.stdin.on('end', () => process.exit(0));
