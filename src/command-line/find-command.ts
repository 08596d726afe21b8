import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import {SETUP} from '../setup-command.ts';
import {type Command, calledBy} from './command.ts';
import type {FlagName} from './flags.ts';
import {tolerated} from './flags.ts';
import {nearest} from './parse-flags.ts';

/**
 * Returns the command that the words call, and the remaining words.
 *
 * @param commands all commands
 * @throws SetupError `input-usage`
 */
export const findCommand = async (
  words: readonly string[],
  commands: readonly Command[],
): Promise<{command: Command; args: readonly string[]}> => {
  const command = calledBy(words, commands);
  // The wizard has no words of its own, so any word begins with it.
  if (!command || (command.words.length === 0 && words.length > 0)) throw await unknown(words, commands);
  const args = words.slice(command.words.length);
  const extra = args[command.takes ?? 0];
  if (extra !== undefined) throw unexpected(command, extra);
  return {command, args};
};

/** Returns the commands below a word that is not a command by itself, such as `mcp`; none for any other word. */
export const groupOf = (word: string | undefined, commands: readonly Command[]): readonly Command[] =>
  commands.filter(({words}) => words.length === 2 && words[0] === word);

/**
 * Returns what help was asked for: by `--help`, or by `help` below a group. The word `help` before a command is a
 * command itself.
 *
 * @returns the words of the command or of the group; undefined if a command has to run
 */
export const helpedBy = (
  words: readonly string[],
  commands: readonly Command[],
  isFlagged = false,
): readonly string[] | undefined => {
  if (isFlagged) return words;
  return words.length === 2 && words[1] === 'help' && groupOf(words[0], commands).length > 0
    ? words.slice(0, 1)
    : undefined;
};

/**
 * Whether a command can be given a flag, even if that changes nothing. A command that takes `--yes` may change
 * something for every deployment, so it must not ignore the name of a single deployment.
 */
export const accepts = ({flags}: Pick<Command, 'flags'>, name: FlagName): boolean =>
  flags.includes(name) || (tolerated.includes(name) && !(name === 'context' && flags.includes('yes')));

/** @throws SetupError `input-usage` for a flag that exists but that this command does not take */
export const checkFlags = (command: Command, typed: ReadonlySet<FlagName>): void => {
  const {words} = command;
  const stray = [...typed].find(name => !accepts(command, name));
  if (stray === undefined) return;
  const called = [SETUP, ...words].join(' ');
  throw new SetupError('input-usage', `${called} has no flag --${stray}.`, {
    remedy: `See ${called} --help.`,
    about: {flag: stray},
  });
};

const unknown = async (words: readonly string[], commands: readonly Command[]) => {
  const [first = ''] = words;
  const group = groupOf(first, commands);
  const below = group.map(command => command.words[1] ?? '');
  if (words.length === 1 && group.length > 0) {
    return new SetupError('input-usage', `Choose a subcommand: ${below.join(', ')}.`, {
      remedy: phrase`See ${setup(first, '--help')}.`,
    });
  }
  if (group.length > 0) {
    const second = words[1] ?? '';
    const meant = await nearest(second, below);
    return new SetupError('input-usage', `There is no command ${first} ${second}.`, {
      remedy: `${suggestion(meant && `${first} ${meant}`)}Choose a subcommand: ${below.join(', ')}.`,
    });
  }
  const names = [...new Set(commands.flatMap(command => command.words.slice(0, 1)))];
  const meant = await nearest(words.join(' '), [...names, ...commands.map(command => command.words.join(' '))]);
  return new SetupError('input-usage', `There is no command ${words.join(' ')}.`, {
    remedy: `${suggestion(meant)}Choose one of ${names.join(', ')}.`,
  });
};

const suggestion = (meant: string | undefined) => (meant ? `Did you mean ${SETUP} ${meant}? ` : '');

const unexpected = ({words}: Command, extra: string) => {
  const called = [SETUP, ...words].join(' ');
  return new SetupError('input-usage', `${called} does not take the argument “${extra}”.`, {
    remedy: `See ${called} --help.`,
  });
};
