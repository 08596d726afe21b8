import type {Command} from '../command.ts';
import {asking} from '../flag-groups.ts';

/** The sandbox, by itself and in the demonstration. */
export const sandboxCommands: readonly Command[] = [
  {
    words: ['demo'],
    usage: 'npx setup demo [flags]',
    summary: 'Try it with a sandbox platform; nothing on this machine changes',
    flags: ['layout', 'fault', 'accessible', 'plain', ...asking],
    examples: ['npx setup demo', 'npx setup demo --layout multi', 'npx setup demo --yes --json'],
    load: async () => (await import('../../commands/demo.ts')).runDemo,
  },
  {
    words: ['sandbox'],
    usage: 'npx setup sandbox [flags]',
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
      'npx setup sandbox',
      'npx setup sandbox --release 1.2',
      'npx setup sandbox --layout multi --port 0 --json',
      'npx setup sandbox --company platform-setup.json',
      'npx setup sandbox --fault slow-idp,observer-missing',
    ],
    more: async () => (await import('./sandbox-help.ts')).sandboxHelp(),
    load: async () => (await import('../../commands/sandbox.ts')).runSandbox,
  },
];
