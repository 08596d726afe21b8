import {mkdirSync, symlinkSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {expect} from 'vitest';
import {commandsIn, typed} from '../support/printed-commands.ts';
import {onUnix} from '../support/systems/on-unix.ts';
import {launcher} from '../support/terminal/terminal-environment.ts';
import {surroundingsForTest} from './support/run.ts';

/** Commands that print other commands, before anything is set up. */
const printing = [
  'status',
  'mcp list',
  'context list',
  'undo',
  'token',
  'doctor --yes',
  '--help',
  'mcp --help',
  'nonsense',
];

const node = process.execPath;

onUnix.each([
  ['by its path', (_bin: string) => `${node} ${launcher}`, (_bin: string) => `${node} ${launcher}`],
  [
    'by its name',
    (bin: string) => {
      symlinkSync(launcher, join(bin, 'platform-setup'));
      symlinkSync(node, join(bin, 'node'));
      return 'platform-setup';
    },
    () => 'platform-setup',
  ],
])('every command that it prints starts this very program, where it was started %s', async (_how, start, own) => {
  const surroundings = surroundingsForTest();
  const bin = join(dirname(surroundings.home), 'tools');
  mkdirSync(bin);
  const {SETUP_COMMAND: _, ...env} = surroundings.env;
  const place = {cwd: surroundings.temporary, env: {...env, PATH: [bin, env.PATH].join(delimiter)}};
  const line = start(bin);
  const outputs = await Promise.all(printing.map(words => typed(`${line} ${words}`, place)));
  const text = outputs.map(({stdout, stderr}) => stdout + stderr).join('\n');
  expect(text).not.toContain('npx setup');
  const commands = commandsIn(text, own(bin));
  expect(commands.length).toBeGreaterThan(10);
  for (const command of commands) {
    const {code, stdout, stderr} = await typed(`${command} --help`, place);
    expect([command, code, stderr]).toEqual([command, 0, '']);
    expect(stdout).toContain(own(bin));
  }
});
