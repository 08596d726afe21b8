import {allAssistants} from '../assistants/catalogue/all.ts';
import {errorCodes} from '../errors/error-table.ts';
import {allProviders} from '../identity-providers/catalogue.ts';
import type {Command, Completed} from './command.ts';
import {type Flag, type FlagName, flags} from './flags.ts';
import {faultNames} from './sandbox/sandbox-faults.ts';
import {shells} from './shells.ts';

/** The words that a shell offers, or the kind of words that it finds by itself. */
export type Offered = {
  readonly words: readonly string[];
  /** Set if the words are not fixed: the shell lists files and directories, and asks this program for contexts. */
  readonly kind?: 'context' | 'directory' | 'file';
  /** True if several words may follow one another with commas between them. */
  readonly isList?: true;
};

export type OfferedFlag = {
  readonly name: string;
  readonly short?: string;
  readonly help: string;
  /** Absent for a flag that takes no value. */
  readonly value?: Offered;
};

export type OfferedCommand = {
  readonly words: readonly string[];
  readonly summary: string;
  readonly flags: readonly OfferedFlag[];
  /** The words that it takes, by position. */
  readonly args: readonly Offered[];
  /** True if the last of them may be repeated. */
  readonly repeats: boolean;
};

/** Returns everything that shells complete. */
export const completionModel = (commands: readonly Command[]): readonly OfferedCommand[] =>
  commands.map(command => ({
    words: command.words,
    summary: command.summary,
    flags: command.flags.map(name => offeredFlag(name, command)),
    args: (command.completes ?? []).map(what => argument[what]()),
    repeats: command.takes === Number.POSITIVE_INFINITY,
  }));

/** Returns the words that can follow the given ones, each with its purpose: the commands, or those of a group. */
export const wordsAfter = (
  model: readonly OfferedCommand[],
  before: readonly string[],
): readonly (readonly [word: string, summary: string])[] => {
  const below = model.filter(
    ({words}) => words.length > before.length && before.every((word, index) => words[index] === word),
  );
  const groups = Map.groupBy(below, ({words}) => words[before.length] ?? '');
  return [...groups].map(([word, [first, ...others]]) => {
    const names = [first, ...others].flatMap(one => one?.words.slice(before.length + 1) ?? []);
    return [word, names.length === 0 ? (first?.summary ?? '') : names.join(', ')] as const;
  });
};

/** Returns the words that are not commands by themselves. */
export const groupsIn = (model: readonly OfferedCommand[]): readonly string[] => [
  ...new Set(model.flatMap(({words}) => (words.length === 2 ? words.slice(0, 1) : []))),
];

const offeredFlag = (name: FlagName, {flagHelp = {}}: Command): OfferedFlag => {
  const flag: Flag = {...flags[name], ...flagHelp[name]};
  const {short, help, value} = flag;
  return {
    name,
    ...(short === undefined ? {} : {short}),
    help,
    ...(flag.type === 'boolean' ? {} : {value: offeredValue(name, value ?? '')}),
  };
};

const offeredValue = (name: FlagName, value: string): Offered => {
  if (name === 'context') return {words: [], kind: 'context'};
  if (name === 'assistants') return {words: ['detected', 'none', ...assistants()], isList: true};
  if (name === 'fault') return {words: faultNames, isList: true};
  const words = value.split('|').filter(isFixed);
  if (words.length > 0) return {words};
  const list = value.split(',').filter(isFixed);
  if (list.length > 0) return {words: list, isList: true};
  if (/^FILE/.test(value)) return {words: [], kind: 'file'};
  return value === 'DIR' ? {words: [], kind: 'directory'} : {words: []};
};

/** Whether a word is in lower case, so that it stands for itself in help. */
const isFixed = (word: string) => /^[a-z0-9][a-z0-9.-]*$/.test(word);

const assistants = () => allAssistants.map(({id}) => id);

const argument: Readonly<Record<Completed, () => Offered>> = {
  anything: () => ({words: []}),
  assistant: () => ({words: assistants()}),
  // The words after `help` are completed as the commands that they are.
  command: () => ({words: []}),
  context: () => ({words: [], kind: 'context'}),
  'error-code': () => ({words: errorCodes}),
  provider: () => ({words: allProviders.map(({id}) => id)}),
  server: () => ({words: ['control-plane', 'observability']}),
  shell: () => ({words: shells}),
};

/**
 * Returns branches of a `case` in bash or zsh, one for each flag of a command whose value can be completed.
 *
 * @param list the array that receives the words on offer
 */
export const flagCases = ({words, flags}: OfferedCommand, list: string): readonly string[] =>
  flags.flatMap(({name, value}) =>
    value && isOffered(value) ? [branch([...words, `--${name}`].join(' '), '', value, list)] : [],
  );

/** Returns such branches for the arguments of a command, by their index; `*` for one that repeats. */
export const argumentCases = ({words, args, repeats}: OfferedCommand, list: string): readonly string[] =>
  args.flatMap((offered, index) => {
    const at = repeats && index === args.length - 1 ? '*' : String(index);
    return isOffered(offered) ? [branch(words.join(' '), `:${at}`, offered, list)] : [];
  });

const isOffered = ({words, kind}: Offered) => words.length > 0 || kind !== undefined;

const branch = (words: string, behind: string, {words: offered, kind, isList}: Offered, list: string): string => {
  const settings = [
    ...(offered.length > 0 ? [`${list}=(${offered.join(' ')})`] : []),
    ...(kind ? [`kind=${kind}`] : []),
    ...(isList ? ['list=1'] : []),
  ];
  return `    '${words}'${behind}) ${settings.join('; ')} ;;`;
};
