import {lineFor, type Shell} from '../ports/processes/shell.ts';
import {SETUP} from '../setup-command.ts';
import type {Command, Terminal} from './command.ts';
import {findCommand, groupOf} from './find-command.ts';
import {type Flag, type FlagName, flags} from './flags.ts';
import {commandTopics, firstFlags, flagTopics} from './help-topics.ts';
import {fitHelp} from './output/fit-text.ts';
import {widthOf} from './output/format-table.ts';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

/**
 * Returns the help of what these words call: the program, a group of commands, or a command. The word `commands` calls
 * the list of all commands, and `flags` the list of the wizard's flags.
 *
 * @param terminal limits the width of lines, if given
 * @param shell the shell that the examples are for
 * @throws SetupError `input-usage`
 */
export const helpOn = async (
  words: readonly string[],
  commands: readonly Command[],
  terminal?: Terminal,
  shell: Shell = 'posix',
): Promise<string> => fitHelp(await wholeHelp(words, commands, shell), terminal && widthOf(terminal));

const wholeHelp = async (words: readonly string[], commands: readonly Command[], shell: Shell): Promise<string> => {
  const [first] = words;
  if (first === undefined) return overview();
  if (words.length === 1 && first === 'commands') return allCommands(commands);
  if (words.length === 1 && first === 'flags') return allFlags();
  if (words.length === 1 && groupOf(first, commands).length > 0) return groupHelp(first, groupOf(first, commands));
  const {command} = await findCommand(words, commands);
  const more = await command.more?.();
  const examples = command.examples.map(one => lineFor(one, shell));
  return `${commandHelp({...command, examples})}${more ?? ''}`;
};

/** Returns the help of a word that is not a command by itself: the commands below it. */
const groupHelp = (name: string, group: readonly Command[]): string => {
  const list = group.map(({words, summary}) => [[SETUP, ...words].join(' '), summary] as const);
  return [
    `These are the subcommands of ${SETUP} ${name}.`,
    `Commands\n${columns(list)}`,
    `For help with one of them: ${SETUP} help ${group[0]?.words.join(' ')}\n`,
  ].join('\n\n');
};

/** Returns the first screen of help: the commands by topic, and the flags that people use first. */
export const overview = (): string => {
  const rows = commandTopics.map(topic => ({
    title: topic.title,
    rows: topic.rows.map(({commands, says}) => [nameOf(commands), says] as const),
  }));
  const width = Math.max(...rows.flatMap(topic => topic.rows.map(([name]) => name.length)));
  const groups = rows.flatMap(topic => [
    topic.title,
    ...topic.rows.map(([name, says]) => `  ${name.padEnd(width)}  ${says}`),
  ]);
  return [
    'Connects you, your CLI and your AI assistants to a developer platform.',
    groups.join('\n'),
    `Flags that people use first\n${stacked(firstFlags.map(firstRow))}`,
    `More: ${SETUP} help COMMAND, ${SETUP} help commands, ${SETUP} help flags\n`,
  ].join('\n\n');
};

/** Returns the names of commands that share their first word, as one: `npx setup context list|use|remove`. */
const nameOf = (commands: readonly string[]): string => {
  const [first = '', ...others] = commands;
  const last = others.map(name => `|${name.split(' ').at(-1)}`);
  return [SETUP, `${first}${last.join('')}`].filter(Boolean).join(' ');
};

const firstRow = ([name, value]: (typeof firstFlags)[number]) => {
  const {env: _, ...flag}: Flag = flags[name];
  return flagRow(name, {...flag, ...(value === undefined ? {} : {value})});
};

const summaryOf = (name: string | undefined, commands: readonly Command[]): string =>
  commands.find(({words}) => words.join(' ') === name)?.summary ?? '';

/** Returns every command by topic. */
const allCommands = (commands: readonly Command[]): string => {
  const width = Math.max(...commands.map(({words}) => [SETUP, ...words].join(' ').length));
  const sections = commandTopics.map(({title, rows, others = []}) => {
    const names = [...rows.flatMap(row => row.commands), ...others];
    const lines = names.map(name => `  ${nameOf([name]).padEnd(width)}  ${summaryOf(name, commands)}`);
    return [title, ...lines].join('\n');
  });
  return [...sections, `Each command has its own help: ${SETUP} help mcp connect\n`].join('\n\n');
};

/** Returns every flag of the wizard by topic. */
const allFlags = (): string =>
  [
    `These are the flags of ${SETUP}. Other commands take some of them, and have flags of their own.`,
    ...flagTopics.map(topic => `${topic.title}\n${stacked(flagRows(topic.flags))}`),
    `Flags of a command: ${SETUP} help mcp connect\n`,
  ].join('\n\n');

/** Returns the help of one command. */
export const commandHelp = (command: Command): string =>
  [`${command.summary}.`, `Usage\n  ${command.usage}`, details(command), ''].join('\n\n');

const details = ({flags: names, flagHelp = {}, examples}: Command): string =>
  `Flags\n${stacked(flagRows(names, flagHelp))}\n\nExamples\n${examples.map(example => `  ${example}`).join('\n')}`;

const flagRows = (names: readonly FlagName[], flagHelp: NonNullable<Command['flagHelp']> = {}) =>
  names.map(name => {
    return flagRow(name, flagIn(name, flagHelp));
  });

/** Returns a flag as a command means it: with that meaning it has no variable, which stands for the wizard's. */
export const flagIn = (name: FlagName, flagHelp: Command['flagHelp'] = {}): Flag => {
  const own = flagHelp[name];
  if (!own) return flags[name];
  const {type, value}: Flag = flags[name];
  return {type, ...(value === undefined ? {} : {value}), ...own};
};

const flagRow = (name: FlagName, {short, value, env, help}: Flag) => {
  const called = short ? `-${short}, --${name}` : `--${name}`;
  return [value ? `${called} ${value}` : called, env ? `${help} (${env})` : help] as const;
};

/** Rows of flags and their help. Below a flag that is too long for its column, the help starts on the next line. */
const stacked = (rows: readonly (readonly [string, string])[]): string => {
  const width = 30;
  return rows
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
};
