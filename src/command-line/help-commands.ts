import type {Command} from './command.ts';
import {common, network} from './flag-groups.ts';

/** The commands about this program itself. */
export const helpCommands: readonly Command[] = [
  {
    words: ['help'],
    takes: 2,
    completes: ['command'],
    usage: 'npx setup help [COMMAND]',
    summary: 'Show the help of a command',
    flags: ['help'],
    examples: ['npx setup help', 'npx setup help mcp connect'],
    load: async () => (await import('../commands/help.ts')).runHelp,
  },
  {
    words: ['version'],
    usage: 'npx setup version',
    summary: 'Print the version of this program',
    flags: ['json', 'help'],
    examples: ['npx setup version'],
    load: async () => (await import('../commands/program/version.ts')).runVersion,
  },
  {
    words: ['upgrade'],
    usage: 'npx setup upgrade [flags]',
    summary: 'Fetch the newest version, and have your assistants start that one',
    flags: ['offline', ...network, ...common],
    examples: ['npx setup upgrade', 'npx setup upgrade --offline'],
    load: async () => (await import('../commands/program/upgrade.ts')).runUpgrade,
  },
  {
    words: ['explain'],
    takes: 1,
    completes: ['error-code'],
    usage: 'npx setup explain [CODE]',
    summary: 'Explain an error code: what it means, why it happens, how to fix it',
    flags: ['json', 'help'],
    examples: ['npx setup explain', 'npx setup explain network-refused'],
    load: async () => (await import('../commands/explain.ts')).runExplain,
  },
  {
    words: ['completion'],
    takes: 1,
    completes: ['shell'],
    usage: 'npx setup completion bash|zsh|fish|powershell',
    summary: 'Print the script that completes commands in a shell',
    flags: ['setup-home', 'help'],
    examples: ['npx setup completion bash'],
    more: async () => (await import('./completion/shells.ts')).installationHelp(),
    load: async () => (await import('../commands/program/completion.ts')).runCompletion,
  },
];
