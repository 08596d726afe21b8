import type {Explanation} from './explanation.ts';

export const platformExplanations = {
  'platform-not-found': {
    name: 'no platform found',
    means: 'Nothing on this machine names a platform, and the usual local address does not answer.',
    why: 'This is the first run, the cluster is not reachable from here, or the platform is not running.',
  },
  'platform-unhealthy': {
    name: 'service unhealthy',
    means: 'The service returned 503, or reported that it is not ready.',
    why: 'It is starting, has lost its database, or is overloaded.',
  },
  'platform-not-json': {
    name: 'web page instead of an answer',
    means: 'The server returned a web page where JSON was expected.',
    why: 'A sign-in proxy or another program answers at this address, or the address is that of a website.',
  },
  'platform-invalid-answer': {
    name: 'answer not understood',
    means: 'The answer is not one this service should give.',
    why: 'Another version of the server, or another program at this address.',
  },
  'platform-no-such-endpoint': {
    name: 'endpoint missing',
    means: 'The server does not know this path (404).',
    why: 'The path in the address is wrong, or the platform’s release is too old.',
  },
  'platform-error': {
    name: 'server error',
    means: 'The server failed while handling the request (500, 502, 504).',
    why: 'A fault of the server or of something behind it.',
  },
  'platform-busy': {
    name: 'server busy',
    means: 'The server asked clients to slow down (429).',
    why: 'Too many requests, from here or from others.',
  },
  'platform-rejected': {
    name: 'request rejected',
    means: 'The server does not accept what was sent, and says why.',
    why: 'A value is not allowed, or a name is already taken.',
  },
  'platform-observer-missing': {
    name: 'observer missing',
    means: 'The observer was not found, so assistants cannot read logs, metrics or traces.',
    why: 'It is not installed, has an unusual address, or is down.',
  },
  'platform-mcp-failed': {
    name: 'MCP protocol error',
    means: 'The MCP server’s answer does not follow the protocol.',
    why: 'The server has a bug, a proxy changes its answers, or it uses an unknown version of the protocol.',
  },
  'platform-tool-failed': {
    name: 'tool reported an error',
    means: 'The tool was called and returned an error.',
    why: 'The arguments are wrong, or the object does not exist.',
  },
  'platform-tool-cut-off': {
    name: 'tool cut off',
    means: 'The server took the call, but could not reach something behind it.',
    why: 'A store of logs, a database or another service that the tool asks is down, or the server cannot find it.',
  },
} as const satisfies Record<string, Explanation>;
