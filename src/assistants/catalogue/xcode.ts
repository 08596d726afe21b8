import type {Assistant} from '../assistant.ts';
import {inHome, type Place} from '../place.ts';
import {claudeCode} from './claude-code.ts';
import {codexCli} from './codex-cli.ts';

/**
 * Returns an agent that comes with Xcode (from 26.3 on): a program of another maker, with its own directory, which
 * Xcode passes to it. Xcode is started from the desktop and has no shell `PATH`, so it must start programs by their
 * absolute paths, as this program's entries always do. Xcode chooses the agent's version, so no entry relies on a
 * helper.
 */
const agentOf = (
  {format, entry, names}: Assistant,
  {directory, file, ...about}: Pick<Assistant, 'id' | 'name'> & {readonly directory: string; readonly file: string},
): Assistant => {
  const {helper: _, oauth: __, ...shape} = entry;
  const inXcode = (place: Place, ...path: readonly string[]) =>
    place.system === 'darwin' ? [inHome(place, 'Library', 'Developer', 'Xcode', 'CodingAssistant', ...path)] : [];
  return {
    ...about,
    files: (scope, place) => (scope === 'user' ? inXcode(place, directory, file) : []),
    traces: place => inXcode(place, directory),
    format,
    entry: shape,
    names,
    afterwards: () => ['In Xcode, start a new conversation in the coding assistant.'],
  };
};

export const xcodeClaude = agentOf(claudeCode, {
  id: 'xcode-claude',
  name: 'Claude Agent in Xcode',
  directory: 'ClaudeAgentConfig',
  file: '.claude.json',
});

/** In a project, it reads the file of Codex. */
export const xcodeCodex = agentOf(codexCli, {
  id: 'xcode-codex',
  name: 'Codex in Xcode',
  directory: 'codex',
  file: 'config.toml',
});
