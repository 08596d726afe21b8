/** Manual pages, from the table of commands that help uses: one for the program, and one for each command. */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Command} from '../src/command-line/command.ts';
import {type Flag, type FlagName, flags} from '../src/command-line/flags.ts';
import {byTopic} from '../src/command-line/help-topics.ts';
import {exitCodes} from '../src/errors/exit-codes.ts';

const PROGRAM = 'platform-setup';

/**
 * Returns the pages by their file names, such as `platform-setup-mcp-connect.1`, as troff with the macros of man(7).
 *
 * @param version of the program. There is no date, so that the same program has the same pages
 */
export const manPages = async (commands: readonly Command[], version: string): Promise<ReadonlyMap<string, string>> => {
  const pages = new Map<string, string>();
  for (const command of commands) pages.set(`${nameOf(command)}.1`, await page(command, commands, version));
  // The program has this name as well.
  pages.set('setup.1', `.so man1/${PROGRAM}.1\n`);
  return pages;
};

/** Writes the pages to a directory, which is created. */
export const writeManPages = async (directory: string, version: string): Promise<void> => {
  const {commands} = await import('../src/command-line/commands.ts');
  mkdirSync(directory, {recursive: true});
  for (const [name, text] of await manPages(commands, version)) writeFileSync(join(directory, name), text);
};

const nameOf = ({words}: Command) => [PROGRAM, ...words].join('-');

const page = async (command: Command, commands: readonly Command[], version: string): Promise<string> => {
  const name = nameOf(command);
  const isProgram = command.words.length === 0;
  const more = await command.more?.();
  const environment = command.flags.flatMap(one => {
    const {env} = flags[one] as Flag;
    return env === undefined ? [] : [tagged(bold(env), `Stands in for ${bold(`--${one}`)}.`)];
  });
  return [
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 "" "${PROGRAM} ${version}" "User Commands"`,
    section('NAME', `${text(name)} \\- ${text(decapitalized(command.summary))}`),
    section('SYNOPSIS', bold(command.usage.replace('npx setup', PROGRAM))),
    isProgram
      ? section(
          'DESCRIPTION',
          text(
            'Connects you, your command line and your AI assistants to a developer platform, and keeps them connected. Without a command it begins the wizard.',
          ),
        )
      : '',
    more === undefined ? '' : section('DESCRIPTION', verbatim(more)),
    isProgram
      ? section(
          'COMMANDS',
          byTopic(commands)
            .filter(one => one !== command)
            .map(listed)
            .join('\n'),
        )
      : '',
    section('OPTIONS', command.flags.map(flag => option(flag, command)).join('\n')),
    environment.length === 0 ? '' : section('ENVIRONMENT', environment.join('\n')),
    isProgram
      ? section(
          'EXIT STATUS',
          Object.entries(exitCodes)
            .map(([code, {says}]) => tagged(bold(code), text(says.replaceAll('`', ''))))
            .join('\n'),
        )
      : '',
    section('EXAMPLES', verbatim(command.examples.join('\n').replaceAll('npx setup', PROGRAM))),
    isProgram ? '' : section('SEE ALSO', `${bold(PROGRAM)}(1)`),
  ]
    .filter(Boolean)
    .join('\n')
    .concat('\n');
};

const section = (title: string, body: string) => `.SH ${title}\n${body}`;

const listed = (command: Command) => tagged(`${bold(nameOf(command))}(1)`, text(`${command.summary}.`));

const option = (name: FlagName, {flagHelp = {}}: Command): string => {
  const flag: Flag = {...flags[name], ...flagHelp[name]};
  const called = flag.short ? `${bold(`-${flag.short}`)}, ${bold(`--${name}`)}` : bold(`--${name}`);
  return tagged(flag.value ? `${called} ${italic(flag.value)}` : called, text(`${flag.help}.`));
};

const tagged = (tag: string, body: string) => `.TP\n${tag}\n${body}`;

const bold = (words: string) => `\\fB${escaped(words)}\\fR`;

const italic = (words: string) => `\\fI${escaped(words)}\\fR`;

/** Escapes the beginning of lines that would be read as troff requests. */
const text = (words: string) => escaped(words).replaceAll(/^(?=[.'])/gm, '\\&');

const verbatim = (lines: string) => `.nf\n${text(lines.trim())}\n.fi`;

/** Escapes text: hyphens can be copied from the page, and every other character looks the same on any terminal. */
const escaped = (words: string) =>
  words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('’', '\\(cq').replaceAll('…', '...');

const decapitalized = (words: string) => `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
