import {IncomingMessage} from 'node:http';

/** No request that the platform takes comes near this; it keeps a runaway client from filling memory. In bytes. */
const largestBody = 256 * 1024;

/** Thrown by `readBody` when the client sends more than the platform takes. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** The whole body of a request. Throws BodyTooLargeError past 256 KiB, leaving the connection open for the answer. */
export const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({destroyOnReturn: false})) {
    length += chunk.length;
    if (length > largestBody) throw new BodyTooLargeError(`The body is larger than ${largestBody} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** The parsed JSON of a body, or undefined when it is not JSON (which cannot itself say `undefined`). */
export const jsonOf = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
};

/** The fields of a form body; none at all for any other content type (RFC 6749 appendix B). */
export const formOf = (request: IncomingMessage, body: Buffer): URLSearchParams => {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  return new URLSearchParams(type === 'application/x-www-form-urlencoded' ? body.toString('utf8') : '');
};

/** The same request with its body unread, for a library that wants to read a body that was already consumed. */
export const replayed = (request: IncomingMessage, body: Buffer): IncomingMessage => {
  const copy = new IncomingMessage(request.socket);
  if (request.method) copy.method = request.method;
  if (request.url) copy.url = request.url;
  copy.httpVersion = request.httpVersion;
  copy.httpVersionMajor = request.httpVersionMajor;
  copy.httpVersionMinor = request.httpVersionMinor;
  copy.headers = {...request.headers, 'content-length': String(body.length)};
  // A chunked body has been put together by now.
  delete copy.headers['transfer-encoding'];
  copy.complete = true;
  copy.push(body);
  copy.push(null);
  return copy;
};
