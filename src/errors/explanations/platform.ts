import type {Explanation} from './explanation.ts';

export const platformExplanations = {
  'platform-not-found': {
    name: 'no platform found',
    means: 'Nothing on this machine names a platform, and the usual local address does not answer.',
    why: 'This is the first run, the cluster is not reachable from here, or the platform is not running.',
  },
  'platform-unhealthy': {
    name: 'service unhealthy',
    means: 'The service answers 503, or says that it is not ready.',
    why: 'It is starting, its database is away, or it is overloaded.',
  },
  'platform-not-json': {
    name: 'web page in place of an answer',
    means: 'A web page came back where JSON was expected.',
    why: 'A sign-in proxy or another program answers at this address, or the address leads to a page for people.',
  },
  'platform-invalid-answer': {
    name: 'answer not understood',
    means: 'The answer is none that this service should give.',
    why: 'Another version of the server, or another program at this address.',
  },
  'platform-no-such-endpoint': {
    name: 'endpoint missing',
    means: 'The server does not know this path (404).',
    why: 'The address has a path too many or too few, or the release of the platform is an old one.',
  },
  'platform-error': {
    name: 'server error',
    means: 'The server failed while it worked on the request (500, 502, 504).',
    why: 'A fault of the server or of something behind it.',
  },
  'platform-busy': {
    name: 'server busy',
    means: 'The server asked to be left alone for a while (429).',
    why: 'Too many requests, from here or from others.',
  },
  'platform-rejected': {
    name: 'request rejected',
    means: 'The server does not accept what was sent, and says why.',
    why: 'A value that the platform does not allow, or a name that exists.',
  },
  'platform-observer-missing': {
    name: 'observer missing',
    means: 'The observer was not found, so assistants have no logs, metrics and traces.',
    why: 'It is not installed, has an address of its own, or is down.',
  },
  'platform-mcp-failed': {
    name: 'MCP protocol error',
    means: 'The MCP server’s answer does not follow the protocol.',
    why: 'A fault of the server, a proxy that changes answers, or an unknown version of the protocol.',
  },
  'platform-tool-failed': {
    name: 'tool reported an error',
    means: 'The tool was called, and answered with an error of its own.',
    why: 'Arguments that it does not accept, or an object that does not exist.',
  },
} as const satisfies Record<string, Explanation>;
