import {SETUP} from '../setup-command.ts';
import type {Command} from './command.ts';
import {common, network} from './flag-groups.ts';

/** The commands about this program itself. */
export const helpCommands: readonly Command[] = [
  {
    words: ['help'],
    takes: 2,
    completes: ['command'],
    usage: `${SETUP} help [COMMAND]`,
    summary: 'Show the help of a command',
    flags: ['help'],
    examples: [`${SETUP} help`, `${SETUP} help mcp connect`],
    load: async () => (await import('../commands/help.ts')).runHelp,
  },
  {
    words: ['version'],
    usage: `${SETUP} version`,
    summary: 'Print the version of this program',
    flags: ['json', 'help'],
    examples: [`${SETUP} version`],
    load: async () => (await import('../commands/program/version.ts')).runVersion,
  },
  {
    words: ['upgrade'],
    usage: `${SETUP} upgrade [flags]`,
    summary: 'Fetch the newest version, and have your assistants start that one',
    flags: ['offline', ...network, ...common],
    examples: [`${SETUP} upgrade`, `${SETUP} upgrade --offline`],
    tidiesUp: true,
    load: async () => (await import('../commands/program/upgrade.ts')).runUpgrade,
  },
  {
    words: ['explain'],
    takes: 1,
    completes: ['error-code'],
    usage: `${SETUP} explain [CODE]`,
    summary: 'Explain an error code: what it means, why it happens, how to fix it',
    flags: ['json', 'help'],
    examples: [`${SETUP} explain`, `${SETUP} explain network-refused`],
    load: async () => (await import('../commands/explain.ts')).runExplain,
  },
  {
    words: ['completion'],
    takes: 1,
    completes: ['shell'],
    usage: `${SETUP} completion bash|zsh|fish|powershell`,
    summary: 'Print the script that completes commands in a shell',
    flags: ['setup-home', 'help'],
    examples: [`${SETUP} completion bash`],
    more: async () => (await import('./completion/shells.ts')).installationHelp(),
    load: async () => (await import('../commands/program/completion.ts')).runCompletion,
  },
];
