import {execFile} from 'node:child_process';
import {createHash} from 'node:crypto';
import {copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {promisify} from 'node:util';
import {expect, onTestFinished, test} from 'vitest';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** Copies the sources as they are, without built or installed files. */
const copySources = async (directory: string): Promise<void> => {
  const {stdout} = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {cwd: root});
  for (const path of stdout.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(directory, path)), {recursive: true});
    copyFileSync(join(root, path), join(directory, path));
  }
};

const tarballOf = async (directory: string, env: NodeJS.ProcessEnv): Promise<Buffer> => {
  const options = {cwd: directory, env: {...process.env, ...env}, maxBuffer: 64 * 1024 * 1024};
  await run('npm', ['ci', '--ignore-scripts'], options);
  await run('npm', ['run', 'build'], options);
  await run('npm', ['pack', '--ignore-scripts'], options);
  const [name = ''] = readdirSync(directory).filter(one => one.endsWith('.tgz'));
  return readFileSync(join(directory, name));
};

test('two builds in different places, at different times and for different people have the same bytes', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-test-'));
  onTestFinished(() => rmSync(directory, {recursive: true, force: true}));
  const places = [join(directory, 'one'), join(directory, 'quite', 'another place')] as const;
  await Promise.all(places.map(copySources));
  const one = await tarballOf(places[0], {TZ: 'UTC', LC_ALL: 'C'});
  const other = await tarballOf(places[1], {TZ: 'Asia/Tokyo', LC_ALL: 'C.UTF-8'});
  const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(sum(other)).toBe(sum(one));
});
