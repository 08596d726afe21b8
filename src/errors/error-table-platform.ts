import {SETUP} from '../setup-command.ts';
import {orByFlag, PLATFORM, row} from './error-row.ts';

/** Answers of a platform that cannot be used; see `error-table.ts`. */
export const platformRows = {
  'platform-not-found': row(
    PLATFORM,
    'you',
    orByFlag(
      'Enter the platform’s base domain, for example acme.example.com.',
      `Pass it with --base-domain, or try ${SETUP} demo.`,
    ),
  ),
  'platform-unhealthy': row(PLATFORM, 'platform', 'Ask your platform team to check it.'),
  'platform-not-json': row(
    PLATFORM,
    'you',
    'Check the address: a sign-in page, a proxy or another program answers there. If it is right, sign in to your network where it asks for that, or tell the operators.',
  ),
  'platform-invalid-answer': row(
    PLATFORM,
    'you',
    'Try again. If it keeps failing, ask the platform’s operators to check the server: its version may not be supported.',
  ),
  'platform-no-such-endpoint': row(PLATFORM, 'you', 'Check the address, and that it leads to the right server.'),
  'platform-error': row(
    PLATFORM,
    'you',
    'Try again in a moment. If it keeps failing, ask the platform’s operators to look into the server’s log.',
  ),
  'platform-busy': row(PLATFORM, 'you', 'Wait a moment, then try again.'),
  'platform-rejected': row(
    PLATFORM,
    'you',
    'Change what the server does not accept, which its answer names, and try again.',
  ),
  'platform-observer-missing': row(
    PLATFORM,
    'you',
    orByFlag('Enter the observer’s address, or go on without it.', 'Pass --observer-url URL, or --observer-url none.'),
  ),
  'platform-mcp-failed': row(
    PLATFORM,
    'platform',
    'Ask the platform’s operators to look into the MCP server’s log: its answer does not follow the protocol.',
  ),

  'platform-tool-failed': row(
    PLATFORM,
    'you',
    'Change the arguments and try again: the tool’s answer says what is wrong.',
  ),
  'platform-tool-cut-off': row(
    PLATFORM,
    'platform',
    'Ask the platform’s operators to check the services behind that server. Neither your connection nor your arguments are the cause.',
  ),
} as const;
