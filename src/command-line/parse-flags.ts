import {parseArgs} from 'node:util';
import {SetupError} from '../errors/errors.ts';
import {phrase, setup} from '../errors/remedy.ts';
import type {Env} from '../ports/ports.ts';
import {type Command, calledBy} from './command.ts';
import {type FlagName, type FlagValues, flags, tolerated} from './flags.ts';

export type ParsedLine = {
  readonly values: FlagValues;
  readonly positionals: readonly string[];
  /** The words after `--`, which are positional arguments of most commands. */
  readonly afterDashes: readonly string[];
  /** The flags on the command line itself, without the environment. */
  readonly typed: ReadonlySet<FlagName>;
};

/**
 * Parses a command line into flags and words. A flag that was not given takes its value from the environment.
 *
 * @param commands all commands: a misspelt flag is corrected only to a flag of the command that is called
 * @throws SetupError `input-usage` for a flag that does not exist, with the one that was probably meant, and for a
 *   value that is missing or superfluous; `input-invalid` for an empty value
 */
export const parseFlags = async (
  argv: readonly string[],
  env: Env,
  commands: readonly Pick<Command, 'words' | 'flags'>[] = [],
): Promise<ParsedLine> => {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => [
      name,
      {type: flag.type, ...('short' in flag ? {short: flag.short} : {})},
    ]),
  );
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const before = argv.slice(0, end);
  let parsed: {values: object; positionals: string[]};
  try {
    parsed = parseArgs({args: withDashedValues(before), options, allowPositionals: true, strict: true});
  } catch (error) {
    throw await explain(error, flagsOf(before, commands));
  }
  const typed = new Set(Object.keys(parsed.values) as FlagName[]);
  for (const [name, value] of Object.entries(parsed.values)) {
    if (value === '')
      throw new SetupError('input-invalid', `--${name} is empty.`, {
        remedy: 'Give it a value, or leave it out.',
        about: {flag: name},
      });
  }
  const values = {...fromEnvironment(env), ...parsed.values};
  return {values, positionals: parsed.positionals, afterDashes: argv.slice(end + 1), typed};
};

/**
 * Joins a flag and a value that begins with a dash, as a random client secret may. The word after a flag that takes a
 * value is that value, unless it is a flag itself.
 */
const withDashedValues = (argv: readonly string[]): string[] => {
  const words = [...argv];
  for (let at = 0; at < words.length - 1; at += 1) {
    const [word = '', next = ''] = words.slice(at, at + 2);
    if (!takesValue(word) || !/^-./.test(next) || isFlag(next)) continue;
    words.splice(at, 2, `${word}=${next}`);
  }
  return words;
};

const takesValue = (word: string): boolean =>
  Object.entries(flags).some(([name, {type}]) => type === 'string' && word === `--${name}`);

const isFlag = (word: string): boolean =>
  Object.entries(flags).some(([name, flag]) => {
    return word === `--${name}` || word.startsWith(`--${name}=`) || ('short' in flag && word === `-${flag.short}`);
  });

const fromEnvironment = (env: Env): FlagValues => {
  const entries = Object.entries(flags).flatMap(([name, flag]) => {
    const value = 'env' in flag ? env[flag.env] : undefined;
    return value ? [[name, value]] : [];
  });
  return Object.fromEntries(entries) as FlagValues;
};

/** Returns the flags of the command that a line calls; all flags if it calls none. */
const flagsOf = (argv: readonly string[], commands: readonly Pick<Command, 'words' | 'flags'>[]) => {
  const called = calledBy(argv, commands);
  return called ? [...called.flags, ...tolerated] : Object.keys(flags);
};

const explain = async (error: unknown, known: readonly string[]): Promise<unknown> => {
  if (!(error instanceof TypeError && 'code' in error)) return error;
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const flag = /'(-[^' =]*)/.exec(error.message)?.[1] ?? '';
    const meant = await nearest(flag.replace(/^-+/, ''), known);
    const remedy = meant ? `Did you mean --${meant}?` : phrase`See ${setup('', '--help')}.`;
    return new SetupError('input-usage', `There is no flag ${flag}.`, {
      cause: error,
      remedy,
      about: {flag: flag.replace(/^-+/, '')},
    });
  }
  if (error.code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') {
    const flag = /'(?:-\w, )?(--[\w-]+)/.exec(error.message)?.[1] ?? 'A flag';
    const {type} = (flags as Record<string, {type: string}>)[flag.slice(2)] ?? {type: 'string'};
    const message = type === 'boolean' ? `${flag} takes no value.` : `${flag} needs a value.`;
    return new SetupError('input-usage', message, {cause: error, about: {flag: flag.replace(/^-+/, '')}});
  }
  return error;
};

/**
 * Returns the known word that begins with `typed`, or that differs from it only by a typing error; undefined if there
 * is none.
 */
export const nearest = async (typed: string, known: readonly string[]): Promise<string | undefined> => {
  const begun = known.filter(word => typed.length > 2 && word.startsWith(typed));
  if (begun.length === 1) return begun[0];
  const {closestMatch} = await import('leven');
  if (begun.length > 0) return closestMatch(typed, begun);
  return closestMatch(typed, [...known], {maxDistance: Math.max(2, Math.floor(typed.length / 3))});
};
