import {createServer, request as sendRequest} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import {onTestFinished} from 'vitest';

/**
 * Starts an HTTP proxy that resolves every name to this machine, with a username and a password if given. It forwards
 * plain requests (RFC 9112 3.2.2) and opens tunnels (RFC 9110 9.3.6).
 */
export const proxyForTest = async (credentials?: string) => {
  const asked: string[] = [];
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const isLetIn = (header: string | undefined) => wanted === undefined || header === wanted;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '');
    asked.push(url.host);
    if (!isLetIn(request.headers['proxy-authorization'])) {
      response.writeHead(407, {'proxy-authenticate': 'Basic realm="proxy"', 'content-type': 'text/html'});
      response.end('<h1>Who are you?</h1>');
      return;
    }
    const {port, pathname, search} = url;
    const {method = 'GET', headers} = request;
    const onward = sendRequest({host: '127.0.0.1', port, path: pathname + search, method, headers}, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.writeHead(502, {'x-squid-error': 'ERR_CONNECT_FAIL 0'}).end());
    request.pipe(onward);
  });
  server.on('connect', (request, client, head) => {
    asked.push(request.url ?? '');
    client.on('error', () => {});
    if (!isLetIn(request.headers['proxy-authorization'])) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n');
      return;
    }
    const [, port] = /:(\d+)$/.exec(request.url ?? '') ?? [];
    const onward = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      onward.write(head);
      onward.pipe(client).pipe(onward);
    });
    onward.on('error', () => client.destroy());
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const {port} = server.address() as AddressInfo;
  return {asked, port, url: `http://${credentials ? `${credentials}@` : ''}127.0.0.1:${port}`};
};
