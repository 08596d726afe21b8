import type {Command} from './command.ts';
import {commands} from './commands.ts';
import {type Flag, flags} from './flags.ts';

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
};

/** Help of the program: what it is, its commands, the flags of the wizard. */
export const overview = (): string => {
  const list = commands.map(({words, summary}) => [['npx setup', ...words].join(' '), summary] as const);
  return [
    'Connects you, your CLI and your AI assistants to a developer platform.',
    `Commands\n${columns(list)}`,
    ...commands.filter(({words}) => words.length === 0).map(details),
    'Each command has its own help: npx setup demo --help\n',
  ].join('\n\n');
};

/** Help of one command. */
export const commandHelp = (command: Command): string =>
  [`${command.summary}.`, `Usage\n  ${command.usage}`, details(command), ''].join('\n\n');

const details = ({flags: names, flagHelp = {}, examples}: Command): string => {
  const rows = names.map(name => {
    const own = flagHelp[name];
    const flag: Flag = own ? {type: flags[name].type, ...own} : flags[name];
    const left = flag.value ? `--${name} ${flag.value}` : `--${name}`;
    return [left, flag.env ? `${flag.help} (${flag.env})` : flag.help] as const;
  });
  return `Flags\n${stacked(rows)}\n\nExamples\n${examples.map(example => `  ${example}`).join('\n')}`;
};

/** A flag with a long value has its help on the next line, so that one long name does not push all the others away. */
const stacked = (rows: readonly (readonly [string, string])[]): string => {
  const width = 30;
  return rows
    .map(([left, right]) =>
      left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n');
};
