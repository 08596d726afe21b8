import {once} from 'node:events';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {TLSSocket} from 'node:tls';
import type {Handler} from '../../../src/sandbox/http-server.ts';

/** How a server at the platform's addresses answers. */
export type Manner =
  | {readonly name: 'as-it-is'}
  /** Delays every answer by so many milliseconds, or only those of tool calls. */
  | {readonly name: 'slow'; readonly ms: number; readonly only?: 'tool-calls'}
  /** A portal between the client and the platform gives this answer to everything. */
  | {readonly name: 'portal'; readonly answers: PortalAnswer}
  /** Like nginx: a client with no certificate, or with a wrong one, gets a page. */
  | {readonly name: 'wants-certificate'};

export type PortalAnswer = 'redirect' | '511' | 'page-403' | 'page-200';

export const PORTAL = 'http://portal.hotel.test/welcome';

const page = (title: string) =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;

const portal: Readonly<Record<PortalAnswer, (response: ServerResponse) => void>> = {
  redirect: response => response.writeHead(302, {Location: PORTAL, 'Content-Type': 'text/html'}).end(page('Moved')),
  // RFC 6585, section 6.1.
  511: response =>
    response
      .writeHead(511, {'Content-Type': 'text/html'})
      .end(`<html><head><meta http-equiv="refresh" content="0; url=${PORTAL}"></head></html>`),
  'page-403': response => response.writeHead(403, {'Content-Type': 'text/html'}).end(page('Access blocked by policy')),
  'page-200': response => response.writeHead(200, {'Content-Type': 'text/html'}).end(page('Welcome to our Wi-Fi')),
};

/** Wraps the platform so that it answers in this manner. */
export const inManner = (manner: Manner, platform: Handler, tell: (line: object) => void): Handler => {
  switch (manner.name) {
    case 'as-it-is':
      return async (request, response) => {
        if (await isToolCall(request)) tell({type: 'tool-call'});
        return platform(request, response);
      };
    case 'slow':
      return async (request, response) => {
        const isCall = await isToolCall(request);
        if (isCall) tell({type: 'tool-call'});
        if (isCall || manner.only === undefined) await new Promise(resolve => setTimeout(resolve, manner.ms));
        return platform(request, response);
      };
    case 'portal':
      return (_, response) => portal[manner.answers](response);
    case 'wants-certificate':
      return (request, response) => {
        const {authorized} = request.socket as TLSSocket;
        if (authorized) return platform(request, response);
        const reason = shownCertificate(request) ? 'The SSL certificate error' : 'No required SSL certificate was sent';
        response.writeHead(400, {'Content-Type': 'text/html'}).end(page(`400 ${reason}`));
      };
  }
};

const shownCertificate = ({socket}: IncomingMessage) =>
  Object.keys((socket as TLSSocket).getPeerCertificate()).length > 0;

/** Looks at the beginning of a request, and puts it back for the next reader. */
const isToolCall = async (request: IncomingMessage): Promise<boolean> => {
  if (request.method !== 'POST' || !request.url?.startsWith('/mcp')) return false;
  await once(request, 'readable');
  const chunk: Buffer | null = request.read();
  if (chunk) request.unshift(chunk);
  return chunk?.includes('"tools/call"') ?? false;
};
