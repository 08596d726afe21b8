import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished} from 'vitest';
import {assistantOn} from '../../bridge/support/bridge.ts';
import type {Entry, Machine} from './machine.ts';

/** Files that runtimes look for in the working directory: settings, variables, modules that replace others. */
const hostile: Readonly<Record<string, string>> = {
  'bunfig.toml': 'preload = ["./hostile.js"]\n',
  '.env': 'SETUP_HOME=/nowhere\nPATH=/nowhere\n',
  'tsconfig.json': '{"compilerOptions": {"paths": {"*": ["./hostile.js"]}}}',
  'deno.json': '{"imports": {"node:fs": "./hostile.js", "node:net": "./hostile.js"}}',
  'package.json': '{"type": "module", "dependencies": {"left-out": "1.0.0"}}',
  'hostile.js': 'import {writeFileSync} from "node:fs";\nwriteFileSync(import.meta.dirname + "/run", "");\n',
};

/**
 * Starts an entry as an assistant started from a desktop does, in an untrusted repository, and asks it for its tools.
 */
export const toolsThrough = async ({command, args}: Entry, {home}: Machine): Promise<readonly string[]> => {
  const repository = join(home, 'repository');
  mkdirSync(repository, {recursive: true});
  for (const [name, text] of Object.entries(hostile)) writeFileSync(join(repository, name), text);
  const child = spawn(command, args, {
    env: {HOME: home, PATH: '/usr/bin:/bin'},
    cwd: repository,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const assistant = assistantOn(child.stdin, child.stdout);
  const ask = async () => {
    expect(await assistant.initialize()).toHaveProperty('result.serverInfo');
    return assistant.request('tools/list');
  };
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${command} ${args.join(' ')} exited with code ${code} before it answered.`);
  });
  const {result} = await Promise.race([ask(), ended]);
  ended.catch(() => {});
  child.kill();
  expect(existsSync(join(repository, 'run'))).toBe(false);
  return result.tools.map(({name}: {readonly name: string}) => name);
};
