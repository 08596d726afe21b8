import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readFileSync, symlinkSync} from 'node:fs';
import {delimiter, join} from 'node:path';
import {expect} from 'vitest';
import {onUnix} from '../../support/systems/on-unix.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';
import {connected} from '../support/connected.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup} from '../support/run.ts';

onUnix(
  'entries for everybody in a project name no path of this machine, and go by the scope that they were made with',
  async () => {
    const {surroundings, project} = await connected(await platformForTest());
    // Colleagues have directories of their own, so an entry for everybody names no directory of this program.
    cpSync(surroundings.setupHome, join(surroundings.home, '.config', 'platform-setup'), {recursive: true});
    const runWith = (PATH: string | undefined, args: readonly string[]) =>
      runSetup(args, {surroundings, env: {SETUP_HOME: undefined, PATH}});
    const connect = ['mcp', 'connect', 'cursor', '--yes', '--scope', 'shared', '--project', project];
    expect(await runWith(surroundings.env.PATH, connect)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /not on your PATH.* Choose “this project only”, or install it globally first \(in its checkout: npm install --global \.\)\. For this project only, pass --scope project\.$/m,
      ),
    });
    const tools = join(surroundings.home, 'tools');
    mkdirSync(tools);
    symlinkSync(launcher, join(tools, 'platform-setup'));
    const PATH = [tools, surroundings.env.PATH].join(delimiter);
    const run = (...args: readonly string[]) => runWith(PATH, args);
    execFileSync('git', ['init', '-q', project]);
    const file = join(project, '.cursor', 'mcp.json');
    expect(await run(...connect)).toMatchObject({code: 0, stderr: ''});
    const {mcpServers} = JSON.parse(readFileSync(file, 'utf8'));
    for (const entry of Object.values(mcpServers)) expect(entry).toMatchObject({command: 'platform-setup'});
    expect(readFileSync(file, 'utf8')).not.toContain(project);
    expect(await run('mcp', 'disconnect', 'cursor', '--scope', 'everybody')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--scope takes user, project, shared, not everybody.'),
    });
    expect(await run('mcp', 'connect', 'cursor', '--yes', '--scope', 'shared', '--method', 'header')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Anyone with this project could use the platform as you.'),
    });
    expect(await run('mcp', 'disconnect', 'cursor', '--scope', 'user')).toMatchObject({code: 0});
    expect(existsSync(file)).toBe(true);
    expect(await run('mcp', 'disconnect', 'cursor', '--scope', 'shared')).toMatchObject({code: 0});
    expect(existsSync(file)).toBe(false);
  },
);
