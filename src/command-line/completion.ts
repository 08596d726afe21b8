import {allAssistants} from '../assistants/catalogue/all.ts';
import type {Context} from '../domain/context.ts';
import {errorCodes} from '../errors/error-table.ts';
import {allProviders} from '../identity-providers/catalogue.ts';
import {type Command, type Completed, calledBy} from './command.ts';
import {shells} from './completion-scripts.ts';
import {type FlagName, flags} from './flags.ts';
import {flagIn} from './help.ts';
import {byTopic} from './help-topics.ts';
import {faultNames} from './sandbox/sandbox-faults.ts';

/** A word that a shell offers, with its purpose. */
export type CompletionWord = {readonly word: string; readonly about?: string};

/** What a shell offers for the word at the cursor. */
export type Completion = {
  readonly candidates: readonly CompletionWord[];
  /** The kind of paths that the shell offers by itself. Then there are no candidates. */
  readonly paths?: 'files' | 'directories';
};

/** The words that can stand in one place. */
type Choice = {
  readonly words: readonly CompletionWord[];
  readonly paths?: 'files' | 'directories';
  /** True if several words may follow one another with commas between them. */
  readonly isList?: true;
};

type ReadContexts = () => Promise<readonly Pick<Context, 'name' | 'entries'>[]>;

/**
 * Returns what can stand at the cursor.
 *
 * @param typed the words after the program's name, up to the cursor; the last one is the word at the cursor, which may
 *   be empty. bash splits words at `=`, so the sign may be a word of its own.
 * @param readContexts returns the saved deployments
 */
export const complete = async (
  typed: readonly string[],
  commands: readonly Command[],
  readContexts: ReadContexts,
): Promise<Completion> => {
  const {before, flag, cursor} = readLine(typed);
  const words = before[0] === 'help' ? before.slice(1) : before;
  const command = calledBy(words.length > 0 ? words : before, commands);
  if (flag !== undefined) return offer(await valuesOf(flag, command, readContexts), cursor);
  const [, name, value] = /^--([\w-]+)=(.*)$/s.exec(cursor) ?? [];
  if (name !== undefined && value !== undefined) {
    return offer(isFlagName(name) ? await valuesOf(name, command, readContexts) : nothing, value, `--${name}=`);
  }
  if (cursor.startsWith('-')) return offer({words: flagsOf(command)}, cursor);
  const below = [...wordsBelow(words, commands), ...(before[0] === 'help' && words.length === 0 ? helpWords : [])];
  if (below.length > 0) return offer({words: below}, cursor);
  const {completes = [], takes = 0, words: own = []} = command ?? {};
  const position = words.length - own.length;
  const kind = position < takes ? (completes[position] ?? completes.at(-1)) : undefined;
  return offer(kind === undefined ? nothing : await choices[kind](readContexts), cursor);
};

/** The words that `help` takes besides commands. */
const helpWords: readonly CompletionWord[] = [
  {word: 'commands', about: 'All commands'},
  {word: 'flags', about: 'All flags'},
];

const nothing: Choice = {words: []};

/**
 * Returns the words that are neither flags nor their values, the flag whose value is at the cursor, and the word at the
 * cursor.
 */
const readLine = (typed: readonly string[]) => {
  const cursor = typed.at(-1) ?? '';
  const before: string[] = [];
  let flag: FlagName | undefined;
  for (const word of typed.slice(0, -1)) {
    if (word === '=') continue;
    if (flag !== undefined) flag = undefined;
    else if (!word.startsWith('-')) before.push(word);
    else if (takesValue(word.slice(2))) flag = word.slice(2) as FlagName;
  }
  // Windows PowerShell drops empty arguments, so its script writes one as two quotes.
  return {before, flag, cursor: cursor === '=' || cursor === '""' ? '' : cursor};
};

const isFlagName = (name: string): name is FlagName => Object.hasOwn(flags, name);

const takesValue = (name: string): boolean => isFlagName(name) && flags[name].type === 'string';

/** Returns the commands, or groups of commands, whose names begin with these words, by their next word. */
const wordsBelow = (before: readonly string[], commands: readonly Command[]): readonly CompletionWord[] => {
  const below = commands.filter(
    ({words}) => words.length > before.length && before.every((word, index) => words[index] === word),
  );
  const groups = Map.groupBy(byTopic(below), ({words}) => words[before.length] ?? '');
  return [...groups].map(([word, members]) => {
    const names = members.flatMap(({words}) => words.slice(before.length + 1));
    return {word, about: names.length > 0 ? names.join(', ') : (members[0]?.summary ?? '')};
  });
};

const flagsOf = (command: Command | undefined): readonly CompletionWord[] =>
  (command?.flags ?? []).map(name => ({
    word: `--${name}`,
    about: command?.flagHelp?.[name]?.help ?? flags[name].help,
  }));

const valuesOf = async (name: FlagName, command: Command | undefined, readContexts: ReadContexts): Promise<Choice> => {
  if (name === 'context') return choices.context(readContexts);
  if (name === 'assistants') return {words: plain(['detected', 'none', ...assistantNames()]), isList: true};
  if (name === 'fault') return {words: plain(faultNames), isList: true};
  const {value = ''} = flagIn(name, command?.flagHelp);
  const alternatives = value.split('|').filter(isLiteral);
  if (alternatives.length > 0) return {words: plain(alternatives)};
  const list = value.split(',').filter(isLiteral);
  if (list.length > 0) return {words: plain(list), isList: true};
  if (value.startsWith('FILE')) return {words: [], paths: 'files'};
  return value === 'DIR' ? {words: [], paths: 'directories'} : nothing;
};

/** Whether a word in the help is in lower case: then it is the value itself, and not a name for it. */
const isLiteral = (word: string) => /^[a-z0-9][a-z0-9.-]*$/.test(word);

const plain = (words: readonly string[]): readonly CompletionWord[] => words.map(word => ({word}));

const assistantNames = () => allAssistants.map(({id}) => id);

const choices: Readonly<Record<Completed, (readContexts: ReadContexts) => Choice | Promise<Choice>>> = {
  anything: () => nothing,
  assistant: () => ({words: plain(assistantNames())}),
  // `complete` drops the word `help`, and completes the words after it as commands.
  command: () => nothing,
  'connected-assistant': async readContexts => {
    const entries = (await readContexts()).flatMap(({entries = []}) => entries);
    return {words: plain([...new Set(entries.map(({assistant}) => assistant))])};
  },
  context: async readContexts => ({words: plain((await readContexts()).map(({name}) => name))}),
  'error-code': () => ({words: plain(errorCodes)}),
  provider: () => ({words: plain(allProviders.map(({id}) => id))}),
  server: () => ({words: plain(['control-plane', 'observability'])}),
  shell: () => ({words: plain(shells)}),
};

/**
 * Returns the choices that continue what was typed. A shell replaces the whole word at the cursor, so each choice begins
 * with the part of that word that is settled: the earlier items of a list, and the flag if it is in the same word, such
 * as `--assistants=cursor,`.
 */
const offer = ({words, paths, isList}: Choice, typed: string, prefix = ''): Completion => {
  if (paths) return {candidates: [], paths};
  const end = isList ? typed.lastIndexOf(',') + 1 : 0;
  const [head, tail] = [typed.slice(0, end), typed.slice(end)];
  return {
    candidates: words
      .filter(({word}) => word.startsWith(tail))
      .map(({word, ...about}) => ({...about, word: `${prefix}${head}${word}`})),
  };
};
