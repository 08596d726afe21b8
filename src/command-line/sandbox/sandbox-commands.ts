import {SETUP} from '../../setup-command.ts';
import type {Command} from '../command.ts';
import {asking} from '../flag-groups.ts';

/** The sandbox, by itself and in the demonstration. */
export const sandboxCommands: readonly Command[] = [
  {
    words: ['demo'],
    usage: `${SETUP} demo [flags]`,
    summary: 'Try it with a sandbox platform; nothing on this machine changes',
    flags: ['layout', 'fault', 'keep', 'accessible', 'plain', ...asking],
    examples: [`${SETUP} demo`, `${SETUP} demo --layout multi`, `${SETUP} demo --yes --json`],
    load: async () => (await import('../../commands/demo.ts')).runDemo,
  },
  {
    words: ['sandbox'],
    usage: `${SETUP} sandbox [flags]`,
    summary: 'Run the sandbox platform and print its addresses and credentials',
    flags: [
      ...([
        'release',
        'platform',
        'layout',
        'port',
        'observer-port',
        'base-domain',
        'company',
        'values',
        'redirect-uri',
      ] as const),
      ...(['resources', 'extras', 'token-life', 'refresh-tokens', 'sign-in-life', 'fault'] as const),
      'json',
      'debug',
      'help',
    ],
    examples: [
      `${SETUP} sandbox`,
      `${SETUP} sandbox --release 1.2`,
      `${SETUP} sandbox --layout multi --port 0 --json`,
      `${SETUP} sandbox --company platform-setup.json`,
      `${SETUP} sandbox --fault slow-idp,observer-missing`,
    ],
    more: async () => (await import('./sandbox-help.ts')).sandboxHelp(),
    load: async () => (await import('../../commands/sandbox.ts')).runSandbox,
  },
];
