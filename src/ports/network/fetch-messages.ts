import type {HttpRequest, StreamReply} from '../ports.ts';
import {failureAt} from './curl.ts';
import {Headers, Response} from './fetch-classes.ts';

/**
 * Returns a reply as a library that calls `fetch` expects it.
 *
 * @throws SetupError `platform-invalid-answer`
 */
export const toResponse = ({status, header, headerNames}: StreamReply, bytes: Buffer, url: URL): Response => {
  if (status < 200 || status > 599) {
    throw failureAt(url, 'platform-invalid-answer', `answered with ${status}, which is not an HTTP status.`);
  }
  const headers = headerNames().map(name => [name, header(name) ?? ''] as [string, string]);
  // These statuses have no body by definition, and the constructor rejects even an empty one (Fetch 2.2.3).
  const isBodiless = status === 204 || status === 205 || status === 304;
  const response = new Response(isBodiless ? null : new Uint8Array(bytes), {status, headers});
  Object.defineProperty(response, 'url', {value: url.href});
  return response;
};

/** Converts the request of a library. Libraries send text and forms, and nothing else is supported. */
export const toRequest = (url: URL, init: RequestInit): HttpRequest => {
  const method = (init.method ?? 'GET').toUpperCase() as HttpRequest['method'];
  const body = init.body ?? undefined;
  const headers = Object.fromEntries(new Headers(init.headers));
  if (body === undefined) return {method, url, headers};
  if (body instanceof URLSearchParams) headers['content-type'] ??= 'application/x-www-form-urlencoded;charset=UTF-8';
  else if (typeof body !== 'string') throw new TypeError('The body of a request must be text or a form.');
  return {method, url, headers, body: String(body)};
};
