import {createServer} from 'node:http';

/** A web server without support for tunnels: it answers every request with its page and 200. */
const body = '<!DOCTYPE html><html><head><title>It works!</title></head><body><h1>It works!</h1></body></html>';
const server = createServer((_, response) => response.writeHead(200, {'Content-Type': 'text/html'}).end(body));
server.on('connect', (_, socket) => {
  const headers = [`Content-Length: ${body.length}`, 'Content-Type: text/html', 'Connection: close'];
  socket.on('error', () => {});
  socket.end(['HTTP/1.1 200 OK', ...headers, '', body].join('\r\n'));
});
server.listen(Number(process.argv[2]), '0.0.0.0');
