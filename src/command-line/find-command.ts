import {SetupError} from '../errors/errors.ts';
import type {Command} from './command.ts';
import {commands} from './commands.ts';
import type {FlagName} from './flags.ts';
import {nearest} from './parse-flags.ts';

/** The command that the words call, and the words left over for it. @throws SetupError `input-usage` */
export const findCommand = async (words: readonly string[]): Promise<{command: Command; args: readonly string[]}> => {
  const matches = commands.filter(command => command.words.every((word, index) => words[index] === word));
  const command = matches.toSorted((one, other) => other.words.length - one.words.length)[0];
  const args = words.slice(command?.words.length ?? 0);
  if (!command || args.length > (command.takes ?? 0)) throw await unknown(words, args);
  return {command, args};
};

/** @throws SetupError `input-usage` for a flag that exists and that this command does not take */
export const checkFlags = ({words, flags}: Command, typed: ReadonlySet<FlagName>): void => {
  const stray = [...typed].find(name => !flags.includes(name));
  if (stray === undefined) return;
  const called = ['npx setup', ...words].join(' ');
  throw new SetupError('input-usage', `${called} has no flag --${stray}.`, {
    remedy: `See ${called} --help.`,
    about: {flag: stray},
  });
};

const unknown = async (words: readonly string[], [extra = '']: readonly string[]) => {
  const called = words.join(' ');
  const group = commands.filter(command => command.words.length === 2 && command.words[0] === words[0]);
  if (words.length === 1 && group.length > 0) {
    const ways = group.map(command => command.words[1]).join(', ');
    return new SetupError('input-usage', `npx setup ${called} is one of ${ways}.`, {
      remedy: `See npx setup ${called} ${group[0]?.words[1]} --help.`,
    });
  }
  const meant = await nearest(called, commands.map(command => command.words.join(' ')).filter(Boolean));
  const remedy = meant ? `Did you mean npx setup ${meant}?` : 'See npx setup --help.';
  const message =
    words[0] === extra ? `There is no command ${called}.` : `npx setup ${called}: “${extra}” is not expected here.`;
  return new SetupError('input-usage', message, {remedy});
};
