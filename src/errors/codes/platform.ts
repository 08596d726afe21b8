import type {Row} from '../error-row.ts';
import {PLATFORM} from '../exit-codes.ts';
import {phrase, setup} from '../remedy.ts';

/** Codes for answers of a platform that are of no use. */
export const platformCodes = {
  'platform-not-found': {
    exit: PLATFORM,
    whose: 'you',
    name: 'no platform found',
    verdict: 'no platform was found',
    means: 'Nothing on this machine names a platform, and the usual local address does not answer.',
    why: 'This is the first run, the cluster is not reachable from here, or the platform is not running.',
    remedy: {
      do: 'Enter the platform’s base domain, for example acme.example.com.',
      flag: phrase`Pass it with --base-domain. If you have no platform yet, ${setup('demo')} shows you one.`,
    },
  },
  'platform-unhealthy': {
    exit: PLATFORM,
    whose: 'either',
    name: 'service unhealthy',
    verdict: '{server} is not ready',
    means: 'The service returned 503, or reported that it is not ready.',
    why: 'It is starting, has lost its database, or is overloaded.',
    remedy: 'Wait a minute, then try again. If it is still not ready, ask your platform team to check it.',
  },
  'platform-not-json': {
    exit: PLATFORM,
    whose: 'either',
    name: 'web page instead of an answer',
    verdict: '{server} answers with a web page',
    means: 'The server returned a web page instead of JSON.',
    why: 'A sign-in proxy or another program answers at this address, or the address is that of a website.',
    remedy:
      'Check the address: a sign-in page, a proxy or another program answers there. If the address is right, sign in to your network (if it asks you to), or tell the platform’s operators.',
  },
  'platform-invalid-answer': {
    exit: PLATFORM,
    whose: 'either',
    name: 'answer not understood',
    verdict: '{server} sent an answer that this program does not expect',
    means: 'The answer of the server is damaged, too large, or not of the form that such a server should send.',
    why: 'The server has another version, or another program answers at this address.',
    remedy:
      'Try again. If it keeps failing, ask the platform’s operators to check the server: its version may not be supported.',
  },
  'platform-no-such-endpoint': {
    exit: PLATFORM,
    whose: 'either',
    name: 'endpoint missing',
    verdict: '{server} has nothing at the requested address',
    means: 'The server does not know this path (404) or this host name (421).',
    why: 'The address is wrong, or the platform’s release is too old.',
    remedy:
      'Check the address, and that it leads to the right server. If both are right, ask the platform’s operators which release they run.',
  },
  'platform-error': {
    exit: PLATFORM,
    whose: 'either',
    name: 'server error',
    verdict: '{server} reported an internal error',
    means: 'The server failed while handling the request (500, 502, 504).',
    why: 'A fault of the server or of something behind it.',
    remedy: 'Try again in a moment. If it keeps failing, ask the platform’s operators to check the server’s log.',
  },
  'platform-busy': {
    exit: PLATFORM,
    whose: 'either',
    name: 'server busy',
    verdict: '{server} is too busy to answer',
    means: 'The server is too busy to answer: it returned 429, or 503 with a time to wait.',
    why: 'The server gets too many requests, from this machine or others, or is busy with other work.',
    remedy: 'Wait a moment, then try again. If it stays busy, tell the platform’s operators.',
  },
  'platform-rejected': {
    exit: PLATFORM,
    whose: 'you',
    name: 'request rejected',
    verdict: '{server} rejects the request',
    means: 'The server does not accept what was sent. Its answer usually says why.',
    why: 'A value is not allowed, or a name is already taken.',
    remedy: 'Change what the server does not accept (its answer says what) and try again.',
  },
  'platform-observer-missing': {
    exit: PLATFORM,
    whose: 'you',
    name: 'observer missing',
    verdict: 'no observer was found, so your assistants cannot read logs, metrics or traces',
    means: 'The observer was not found, so assistants cannot read logs, metrics or traces.',
    why: 'It is not installed, has an unusual address, or is down.',
    remedy: {
      do: 'Enter the observer’s address, or go on without it.',
      flag: 'Pass --observer-url URL, or --observer-url none.',
    },
  },
  'platform-mcp-failed': {
    exit: PLATFORM,
    whose: 'platform',
    name: 'MCP protocol error',
    verdict: '{server} does not follow the MCP protocol',
    means: 'The MCP server’s answer does not follow the protocol.',
    why: 'The server has a bug, a proxy changes its answers, or it uses an unknown version of the protocol.',
    remedy:
      'Ask the platform’s operators to check the MCP server’s log, and what that address serves: the answer does not follow the protocol.',
  },
  'platform-tool-failed': {
    exit: PLATFORM,
    whose: 'you',
    name: 'tool reported an error',
    verdict: 'the tool reported an error',
    means: 'The tool was called and returned an error.',
    why: 'The arguments are wrong, or the object does not exist.',
    remedy: 'Change the arguments and try again: the tool’s answer says what is wrong.',
  },
  'platform-tool-cut-off': {
    exit: PLATFORM,
    whose: 'platform',
    name: 'tool cut off',
    verdict: '{server} cannot reach a service that the tool needs',
    means: 'The server accepted the call, but could not reach a service that it needs.',
    why: 'The log store, a database or another service that the tool uses is down, or the server cannot find it.',
    remedy:
      'Ask the platform’s operators to check the services behind that server. Neither your connection nor your arguments are the cause.',
  },
} as const satisfies Record<string, Row>;
