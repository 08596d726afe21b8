import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';

/** Sends a JSON body with its length. */
export const sendJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: OutgoingHttpHeaders = {},
) => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
};

/** Sends a plain text body with its length. */
export const sendText = (response: ServerResponse, status: number, text: string, headers: OutgoingHttpHeaders = {}) => {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
};

/** Sends a status that has no body. */
export const sendNothing = (response: ServerResponse, status: number, headers: OutgoingHttpHeaders = {}) => {
  response.writeHead(status, headers);
  response.end();
};

/** The platform's answer for a path that it does not have. */
export const sendNotFound = (response: ServerResponse) =>
  sendText(response, 404, '404 page not found\n', {'X-Content-Type-Options': 'nosniff'});

/** The platform's answer for a method that a path does not take. `allow` lists those that it does (RFC 9110 10.2.1). */
export const sendMethodNotAllowed = (response: ServerResponse, allow: string) =>
  sendText(response, 405, 'Method Not Allowed\n', {Allow: allow, 'X-Content-Type-Options': 'nosniff'});
