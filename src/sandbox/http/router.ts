import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Handler} from './handler.ts';
import {sendMethodNotAllowed, sendNotFound} from './reply.ts';

type RouteHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  params: Readonly<Record<string, string>>,
) => void | Promise<void>;

/** Paths with the methods that they take. `{name}` in a path stands for one segment, handed over decoded. */
export type Routes = {readonly [path: string]: {readonly [method: string]: RouteHandler}};

/**
 * Sends a request to the handler of its path and method. A path matches exactly, trailing slash included. HEAD goes to
 * GET, and Node leaves the body out. A known path answers any other method with 405; all else goes to `otherwise`.
 */
export const router = (routes: Routes, otherwise: Handler = (_, response) => sendNotFound(response)): Handler => {
  const table = Object.entries(routes).map(([path, methods]) => ({pattern: patternOf(path), methods}));
  return async (request, response) => {
    const path = pathOf(request);
    for (const {pattern, methods} of table) {
      const match = pattern.exec(path);
      if (!match) continue;
      const handler = methods[request.method ?? ''] ?? (request.method === 'HEAD' ? methods.GET : undefined);
      return handler
        ? handler(request, response, decoded(match.groups))
        : sendMethodNotAllowed(response, allow(methods));
    }
    return otherwise(request, response);
  };
};

/** The path of a request, without its query, as it was sent. */
export const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split(/[?#]/, 1)[0] || '/';

/** The query of the request target. */
export const queryOf = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams((request.url ?? '').split('?').slice(1).join('?'));

const patternOf = (path: string) =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);

const decoded = (groups: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodedSegment(value)]));

const decodedSegment = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const allow = (methods: object) => {
  const names = Object.keys(methods);
  return (names.includes('GET') ? [...names, 'HEAD'] : names).sort().join(', ');
};
