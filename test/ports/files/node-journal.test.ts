import {execFileSync} from 'node:child_process';
import {chmod, mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {sha256} from '../../../src/domain/fingerprint.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {failingSync} from './writing/support/failing-builtin.ts';

onUnix('the journal keeps the old bytes for its owner only, without the tokens that are ours', async () => {
  const home = await temporaryDirectory();
  const {files} = portsIn(home);
  const path = join(home, 'mcp.json');
  await writeFile(path, '{"a": "Bearer our-token", "b": "Bearer their-token"}');

  const tokens = {before: [{start: 14, end: 23}], after: []};
  await files.write(path, '{}', {mode: 0o600, journal: true, tokens});

  const [name = ''] = await readdir(join(home, 'journal'));
  const entry = JSON.parse(await readFile(join(home, 'journal', name), 'utf8'));
  const cuts = [{at: 14, token: sha256('our-token')}];
  expect(entry).toMatchObject({path, before: {text: '{"a": "Bearer ", "b": "Bearer their-token"}', cuts}});
  expect((await stat(join(home, 'journal', name))).mode & 0o777).toBe(0o600);
});

onUnix('what others can change is not put back', async () => {
  const home = await temporaryDirectory();
  const {files, journal} = portsIn(home);
  await files.write(join(home, 'mcp.json'), '{}', {mode: 0o600, journal: true});
  const directory = join(home, 'journal');
  expect(await journal.list()).toHaveLength(1);
  await chmod(directory, 0o777);
  await expect(journal.list()).rejects.toMatchObject({code: 'local-open-to-others', about: {path: directory}});
});

test('an entry that a full disk has cut short does not stay', async () => {
  const home = await temporaryDirectory();
  const {files} = portsIn(home);
  await writeFile(join(home, 'mcp.json'), '');
  failingSync('ENOSPC');
  await expect(files.write(join(home, 'mcp.json'), '{}', {mode: 0o600, journal: true})).rejects.toMatchObject({
    code: 'local-write-failed',
  });
  expect(await readdir(join(home, 'journal'))).toEqual([]);
});

onUnix('an entry that is no file is passed over', async () => {
  const home = await temporaryDirectory();
  const {journal} = portsIn(home);
  await mkdir(join(home, 'journal'), {mode: 0o700});
  execFileSync('mkfifo', [join(home, 'journal', 'a.json')]);
  expect(await journal.list()).toEqual([]);
});

onUnix('a large copy is kept by itself, without our tokens, and goes with its entry', async () => {
  const home = await temporaryDirectory();
  const {files, journal} = portsIn(home);
  const path = join(home, 'mcp.json');
  await writeFile(path, `{"a": "Bearer our-token", "b": "${'x'.repeat(2_000_000)}", "c": "Bearer our-token"}`);
  const last = '{"a": "Bearer our-token", "b": "", "c": "Bearer '.length + 2_000_000;
  const before = [
    {start: last, end: last + 9},
    {start: 14, end: 23},
  ];
  const tokens = {before, after: [{start: 14, end: 23}]};
  await files.write(path, '{"d": "Bearer our-token"}', {mode: 0o600, journal: true, tokens});

  const directory = join(home, 'journal');
  const [copy = '', entry = ''] = (await readdir(directory)).sort();
  expect([copy, entry]).toEqual([expect.stringMatching(/\.copy$/), expect.stringMatching(/\.json$/)]);
  expect((await stat(join(directory, entry))).size).toBeLessThan(1_000);
  expect((await stat(join(directory, copy))).mode & 0o777).toBe(0o600);
  const [found = expect.fail()] = await journal.list();
  const kept = String(await journal.read(found.before ?? expect.fail()));
  expect(kept.replace(/x+/, 'x')).toBe('{"a": "Bearer ", "b": "x", "c": "Bearer "}');
  expect(found.before?.cuts).toHaveLength(2);
  await journal.forget(found);
  expect(await readdir(directory)).toEqual([]);
});

onUnix('a large copy that others can change is not put back', async () => {
  const home = await temporaryDirectory();
  const {files, journal} = portsIn(home);
  await writeFile(join(home, 'mcp.json'), 'x'.repeat(2_000_000));
  await files.write(join(home, 'mcp.json'), '{}', {mode: 0o600, journal: true});
  const [copy = ''] = (await readdir(join(home, 'journal'))).filter(name => name.endsWith('.copy'));
  await chmod(join(home, 'journal', copy), 0o666);
  await expect(journal.list()).rejects.toMatchObject({code: 'local-open-to-others'});
});

test('a large copy that a full disk has cut short does not stay', async () => {
  const home = await temporaryDirectory();
  const {files} = portsIn(home);
  const path = join(home, 'mcp.json');
  await writeFile(path, 'x'.repeat(2_000_000));
  failingSync('ENOSPC');
  await expect(files.write(path, '{}', {mode: 0o600, journal: true})).rejects.toMatchObject({
    code: 'local-write-failed',
  });
  expect(await readdir(join(home, 'journal'))).toEqual([]);
});
