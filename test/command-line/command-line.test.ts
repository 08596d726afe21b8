import {describe, expect, test} from 'vitest';
import {commands} from '../../src/command-line/commands.ts';
import {checkFlags, findCommand, helpedBy} from '../../src/command-line/find-command.ts';
import type {FlagName} from '../../src/command-line/flags.ts';
import {commandHelp, helpOn, overview} from '../../src/command-line/help.ts';
import {commandTopics, flagTopics} from '../../src/command-line/help-topics.ts';
import {parseFlags} from '../../src/command-line/parse-flags.ts';
import {worded} from '../support/worded.ts';

describe('flags', () => {
  test('come from the command line, and from the environment where they are not on it', async () => {
    const env = {SETUP_BASE_DOMAIN: 'env.example.com', CLI_CLIENT_ID: 'from-env', SETUP_LAYOUT: ''};
    const {values, typed, positionals} = await parseFlags(
      ['component', 'list', '--base-domain', 'flag.example.com', '--json'],
      env,
    );
    expect(values).toEqual({'base-domain': 'flag.example.com', 'client-id': 'from-env', json: true});
    expect([...typed].toSorted()).toEqual(['base-domain', 'json']);
    expect(positionals).toEqual(['component', 'list']);
  });

  test.each([
    [['--jsn'], 'There is no flag --jsn.', 'Did you mean --json?'],
    // Only flags of this command are suggested: `--fix` belongs to another one.
    [['login', '--fox'], 'There is no flag --fox.', 'See npx setup --help.'],
    [['doctor', '--fox'], 'There is no flag --fox.', 'Did you mean --fix?'],
    [['--base-domian', 'x'], 'There is no flag --base-domian.', 'Did you mean --base-domain?'],
    [['--completely-unlike'], 'There is no flag --completely-unlike.', 'See npx setup --help.'],
    [['--base-domain'], '--base-domain needs a value.', expect.any(String)],
    [['--json=yes'], '--json takes no value.', expect.any(String)],
    [['-x'], 'There is no flag -x.', expect.any(String)],
  ])('%j is refused', async (argv, message, remedy) => {
    await expect(worded(parseFlags(argv, {}, commands))).rejects.toMatchObject({
      code: 'input-usage',
      message,
      remedy,
      about: {flag: expect.stringMatching(/^[a-z]/)},
    });
  });
});

test('a value may begin with a dash, unless it is a flag itself', async () => {
  const {values} = await parseFlags(['--client-secret', '-x_Y', '--client-id', '--odd', '--json'], {});
  expect(values).toEqual({'client-secret': '-x_Y', 'client-id': '--odd', json: true});
  await expect(parseFlags(['--client-secret', '--json'], {})).rejects.toMatchObject({
    message: '--client-secret needs a value.',
  });
});

describe('commands', () => {
  test('are matched by their words', async () => {
    expect((await findCommand([], commands)).command.words).toEqual([]);
    expect((await findCommand(['component', 'list'], commands)).command.words).toEqual(['component', 'list']);
  });

  test.each([
    [
      ['dmeo'],
      'There is no command dmeo.',
      expect.stringMatching(/^Did you mean npx setup demo\? Choose one of demo, .*mcp, .*version/),
    ],
    [['quite-unlike'], 'There is no command quite-unlike.', expect.stringMatching(/^Choose one of demo, /)],
    [['context'], 'Choose a subcommand: list, use, remove.', 'See npx setup context --help.'],
    [
      ['component', 'lst'],
      'There is no command component lst.',
      'Did you mean npx setup component list? Choose a subcommand: list.',
    ],
    [
      ['mcp', 'lst'],
      'There is no command mcp lst.',
      expect.stringMatching(/^Did you mean npx setup mcp list\? Choose /),
    ],
    [['mcp', 'qqqqqqq'], 'There is no command mcp qqqqqqq.', expect.stringMatching(/^Choose a subcommand: connect, /)],
    [['mcp', 'list', 'now'], 'npx setup mcp list does not take the argument “now”.', 'See npx setup mcp list --help.'],
    [['demo', 'now'], 'npx setup demo does not take the argument “now”.', expect.any(String)],
    [
      ['mcp', 'serve', 'control-plane', 'now'],
      'npx setup mcp serve does not take the argument “now”.',
      expect.any(String),
    ],
    [['demo', 'demo'], 'npx setup demo does not take the argument “demo”.', expect.any(String)],
  ])('%j is refused', async (words, message, remedy) => {
    await expect(worded(findCommand(words, commands))).rejects.toMatchObject({code: 'input-usage', message, remedy});
  });
});

test('a flag that a command does not take is refused', async () => {
  const {command} = await findCommand(['status'], commands);
  expect(() => checkFlags(command, new Set(['json'] as const))).not.toThrow();
  expect(() => checkFlags(command, new Set(['json', 'client-id'] as const))).toThrow(
    'npx setup status has no flag --client-id.',
  );
});

test('what any command may be given is taken by all, and listed where it changes something', async () => {
  for (const command of commands)
    expect(() => checkFlags(command, new Set(['yes', 'json', 'quiet', 'debug'] as const))).not.toThrow();
  // To ignore the name of a deployment would harm another one.
  const refusing = commands.filter(command => {
    try {
      checkFlags(command, new Set(['context'] as const));
      return false;
    } catch (error) {
      expect(error).toMatchObject({code: 'input-usage', message: expect.stringMatching(/has no flag --context\.$/)});
      return true;
    }
  });
  expect(refusing.map(({words}) => words.join(' '))).toEqual(['demo', 'undo', 'uninstall']);
  const listing = (flag: FlagName) =>
    commands.filter(({flags}) => flags.includes(flag)).map(({words}) => words.join(' '));
  expect(listing('yes')).toEqual(['', 'demo', 'login', 'logout', 'mcp connect', 'mcp disconnect', 'undo', 'uninstall']);
  expect(listing('context')).not.toEqual(expect.arrayContaining(['demo']));
  expect(listing('context')).toEqual(expect.arrayContaining(['status', 'mcp list', 'provider check']));
});

describe('help', () => {
  test.each([
    [['mcp', '--help'], 'These are the subcommands of npx setup mcp.'],
    [['mcp', 'help'], 'npx setup mcp connect'],
    [['mcp', '-h'], 'npx setup mcp serve'],
    [['mcp', 'connect', '-h'], 'Usage\n  npx setup mcp connect'],
    [['-h'], 'Connects you, your CLI and your AI assistants'],
  ])('%j', async (argv, expected) => {
    const {values, positionals} = await parseFlags(argv, {});
    expect(await helpOn(helpedBy(positionals, commands, values.help) ?? [], commands)).toContain(expected);
  });

  test('of a command that does not exist suggests the one that was meant', async () => {
    await expect(worded(helpOn(['mcp', 'conect'], commands))).rejects.toMatchObject({
      remedy: expect.stringContaining('Did you mean npx setup mcp connect?'),
    });
    expect(helpedBy(['status'], commands)).toBeUndefined();
    expect(helpedBy(['context', 'use'], commands)).toBeUndefined();
  });

  test('begins with one screen: 40 lines that fit into 80 columns', () => {
    const lines = overview().trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter(line => line.length > 80)).toEqual([]);
  });

  test('has every command and every flag of the wizard in one topic', async () => {
    const names = commands.map(({words}) => words.join(' '));
    const topics = commandTopics.flatMap(({rows, others = []}) => [...rows.flatMap(row => row.commands), ...others]);
    expect(topics.toSorted()).toEqual(names.toSorted());
    const wizard = commands.find(({words}) => words.length === 0);
    expect(flagTopics.flatMap(topic => topic.flags).toSorted()).toEqual(wizard?.flags.toSorted());
    const all = await helpOn(['commands'], commands);
    for (const {words, summary} of commands) {
      expect(all).toContain(`  ${['npx setup', ...words].join(' ')} `);
      expect(all).toContain(summary);
    }
    const flagHelp = await helpOn(['flags'], commands);
    for (const name of wizard?.flags ?? []) expect(flagHelp).toMatch(new RegExp(`--${name}(?: |\n)`));
  });

  test('every command has examples that work on the command line', async () => {
    for (const command of commands) {
      expect(commandHelp(command)).toContain('Examples');
      for (const example of command.examples) {
        const [, line = ''] = /setup(?: (.*?))?(?:\)|$)/.exec(example.replace(/^.*?(?=setup)/, '')) ?? [];
        const {positionals} = await parseFlags(line.replace(/["].*/, '').split(' ').filter(Boolean), {});
        expect((await findCommand(positionals, commands)).command).toBe(command);
      }
    }
  });

  test('has commands as they can be run', () => {
    for (const text of [overview(), ...commands.map(commandHelp)]) expect(text).not.toMatch(/(?<!npx |-)\bsetup\b/);
  });

  test('fits 100 columns', () => {
    for (const text of [overview(), ...commands.map(commandHelp)]) {
      expect(text.split('\n').filter(line => line.length > 100)).toEqual([]);
    }
  });
});
