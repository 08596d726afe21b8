import {StreamableHTTPClientTransport} from '@modelcontextprotocol/client';
import {StdioServerTransport} from '@modelcontextprotocol/server/stdio';

/**
 * The smallest bridge from the SDK's own parts: its two raw transports connected to each other, with one token that
 * never expires and no repair of failures. It is what a person without a bridge would begin with.
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
