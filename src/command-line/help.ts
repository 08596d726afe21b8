import {lineFor, type Shell} from '../ports/processes/shell.ts';
import {SETUP} from '../setup-command.ts';
import type {Command, Terminal} from './command.ts';
import {findCommand, groupOf} from './find-command.ts';
import {type Flag, flags} from './flags.ts';
import {fitHelp} from './output/fit-text.ts';
import {widthOf} from './output/format-table.ts';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

/**
 * Returns the help of what these words call: the program, a group of commands, or a command.
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
  if (first === undefined) return overview(commands);
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

/** Returns the help of the program: what it is, its commands, the flags of the wizard. */
export const overview = (commands: readonly Command[]): string => {
  const list = commands.map(({words, summary}) => [[SETUP, ...words].join(' '), summary] as const);
  return [
    'Connects you, your CLI and your AI assistants to a developer platform.',
    `Commands\n${columns(list)}`,
    ...commands.filter(({words}) => words.length === 0).map(details),
    `Each command has its own help: ${SETUP} help mcp connect\n`,
  ].join('\n\n');
};

/** Returns the help of one command. */
export const commandHelp = (command: Command): string =>
  [`${command.summary}.`, `Usage\n  ${command.usage}`, details(command), ''].join('\n\n');

const details = ({flags: names, flagHelp = {}, examples}: Command): string => {
  const rows = names.map(name => {
    const own = flagHelp[name];
    const flag: Flag = own ? {type: flags[name].type, ...own} : flags[name];
    const called = flag.short ? `-${flag.short}, --${name}` : `--${name}`;
    const left = flag.value ? `${called} ${flag.value}` : called;
    return [left, flag.env ? `${flag.help} (${flag.env})` : flag.help] as const;
  });
  return `Flags\n${stacked(rows)}\n\nExamples\n${examples.map(example => `  ${example}`).join('\n')}`;
};

/** The help of a flag with a long value is on the next line, so that one long name does not move all others. */
const stacked = (rows: readonly (readonly [string, string])[]): string => {
  const width = 30;
  return rows
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
};
