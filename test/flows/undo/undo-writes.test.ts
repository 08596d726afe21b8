import {mkdir, readdir, readFile, rm, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {chosenRun, undoableRuns, undoWrites} from '../../../src/flows/undo.ts';
import {mcpClientContext as context} from '../../support/context.ts';
import {collect} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {expectMode} from '../../support/systems/system-here.ts';
import {worded} from '../../support/worded.ts';

const place = async () => {
  const directory = await temporaryDirectory();
  const [home, project] = [join(directory, 'home'), join(directory, 'project')];
  await mkdir(project);
  const file = join(project, 'mcp.json');
  const undone = async () => (await collect(undoWrites, {which: 1}, portsIn(home))).result;
  const undo = async () => (await undone()).files;
  return {home, file, undo, undone, ports: () => portsIn(home)};
};

const written = {mode: 0o600, tighten: true, journal: true} as const;
const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

test('a file that was there is put back to the byte, with its mode; one that was not is removed', async () => {
  const {file, ports, undone, home} = await place();
  await writeFile(file, '{ // mine\r\n}', {mode: 0o644});
  const run = ports();
  await run.files.write(file, '{"changed": true}', written);
  await run.config.saveContext(context);
  await run.credentials.update(context, async () => ({...context, accessToken: 'canary'}));

  const {files, signedOut} = await undone();
  expect(files.map(({path, outcome}) => [path, outcome])).toEqual([
    [file, 'restored'],
    [join(home, 'config.json'), 'removed'],
  ]);
  expect(await readFile(file, 'utf8')).toBe('{ // mine\r\n}');
  await expectMode(file, 0o644);
  expect(await exists(join(home, 'config.json'))).toBe(false);
  // The deployment is no longer saved, so its secrets are removed.
  expect(signedOut).toEqual(['acme']);
  expect(await readFile(join(home, 'credentials.json'), 'utf8')).not.toContain('canary');
});

test('one run is undone at a time, the latest first, also where it wrote a file twice', async () => {
  const {file, ports, undo} = await place();
  await ports().files.write(file, 'one', written);
  const second = ports();
  await second.files.write(file, 'two', written);
  await second.files.write(file, 'three', written);
  expect((await undoableRuns(ports())).map(({entries}) => entries.length)).toEqual([2, 1]);
  await undo();
  expect(await readFile(file, 'utf8')).toBe('one');
  await undo();
  expect(await exists(file)).toBe(false);
  await expect(undo()).rejects.toMatchObject({code: 'local-nothing-to-undo'});
});

test('a file that was put back between two runs is restored by the undo of both, not before it', async () => {
  const {file, home, ports} = await place();
  await writeFile(file, 'mine', {mode: 0o600});
  await ports().files.write(file, 'ours', written);
  await writeFile(file, 'mine', {mode: 0o600});
  await ports().files.write(file, 'ours again', written);
  const {result} = await collect(undoWrites, {which: 'all'}, portsIn(home));
  expect(result.files).toEqual([{path: file, outcome: 'restored'}]);
  expect(await readFile(file, 'utf8')).toBe('mine');
});

test('a run that there is not is said, and how many there are', async () => {
  const {file, home, ports} = await place();
  const undo = (back: number) => collect(undoWrites, {which: back}, ports());
  await expect(undo(1)).rejects.toMatchObject({
    code: 'local-nothing-to-undo',
    message: 'There is nothing to revert.',
  });
  const before = new Date().toISOString();
  await ports().files.write(file, 'one', written);
  const [run] = await undoableRuns(portsIn(home));
  expect(run?.at.localeCompare(before)).toBeGreaterThanOrEqual(0);
  await expect(worded(undo(2))).rejects.toMatchObject({
    code: 'local-nothing-to-undo',
    message: 'There is no run 2. Runs that can be reverted: 1.',
    remedy: 'See npx setup undo --list.',
  });
  expect((await undo(1)).events).toEqual([{type: 'file-written', path: file, change: 'changed'}]);
});

describe('a run that a person does not see', () => {
  const signedInAgain = {...context, account: 'other@example.com', clientId: 'another'};

  test('as a later sign-in is none of its own: it is undone with the run before it', async () => {
    const {file, home, ports, undo} = await place();
    const first = ports();
    await first.files.write(file, 'ours', written);
    await first.config.saveContext(context);
    for (const account of ['one', 'two']) await ports().config.saveContext({...signedInAgain, account});
    expect((await undoableRuns(ports())).map(({id, entries}) => [id, entries.length])).toEqual([
      [(await ports().journal.list())[0]?.run, 4],
    ]);
    expect(await undo()).toHaveLength(2);
    expect([await exists(file), await exists(join(home, 'config.json'))]).toEqual([false, false]);
    await expect(undo()).rejects.toMatchObject({code: 'local-nothing-to-undo'});
  });

  test('is none of these: a switch of what the assistants may do, which an undo of an earlier run must not turn', async () => {
    const {file, ports, undo} = await place();
    await ports().files.write(file, 'ours', written);
    await ports().config.saveContext(context);
    await ports().config.saveOnlyLook(context.name, true);
    expect((await undoableRuns(ports())).map(({entries}) => entries.length)).toEqual([1, 1, 1]);
    await undo();
    expect((await ports().config.read()).contexts).toEqual([context]);
    expect(await exists(file)).toBe(true);
  });

  test('is one of its own where nothing is before it', async () => {
    const {ports, undo} = await place();
    await ports().config.saveContext(context);
    await ports().config.saveContext(signedInAgain);
    expect((await undoableRuns(ports())).map(({entries}) => entries.length)).toEqual([2]);
    await undo();
    await expect(undo()).rejects.toMatchObject({code: 'local-nothing-to-undo'});
  });

  test('is none of these: another deployment, another current one, entries that are forgotten', async () => {
    const {file, ports} = await place();
    const entry = {
      assistant: 'cursor',
      scope: 'user',
      project: '/',
      method: 'bridge',
      names: ['acme'],
      path: file,
    } as const;
    await ports().config.saveContext({...context, entries: [entry]});
    await ports().config.saveContext({...context, name: 'second'});
    await ports().config.useContext(context.name);
    await ports().config.saveEntries(context.name, () => []);
    expect((await undoableRuns(ports())).map(({entries}) => entries.length)).toEqual([1, 1, 1, 1]);
  });
});

test('all runs are undone as one, back to before the first', async () => {
  const {file, home, ports} = await place();
  const [other, run] = [`${file}.other`, ports()];
  await writeFile(file, 'mine');
  await run.files.write(file, 'one', written);
  await run.config.saveContext(context);
  await ports().files.write(other, 'two', written);
  const last = ports();
  await last.files.write(file, 'three', written);
  await last.config.saveContext({...context, name: 'second'});
  const {files} = (await collect(undoWrites, {which: 'all'}, portsIn(home))).result;
  expect(files.map(({path, outcome}) => [path, outcome])).toEqual([
    [file, 'restored'],
    [other, 'removed'],
    [join(home, 'config.json'), 'removed'],
  ]);
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await undoableRuns(ports())).toEqual([]);
});

test('a run that another process has undone since it was looked up is not undone again', async () => {
  const {file, home, ports, undo} = await place();
  await ports().files.write(file, 'one', written);
  const run = await chosenRun(1, portsIn(home));
  await undo();
  await writeFile(file, 'one');
  await expect(collect(undoWrites, {which: run}, portsIn(home))).rejects.toMatchObject({
    code: 'local-nothing-to-undo',
  });
  expect(await readFile(file, 'utf8')).toBe('one');
});

test('a run that another process has undone is not said to be the only one, if there are others', async () => {
  const {file, home, ports} = await place();
  await ports().files.write(`${file}.other`, 'one', written);
  await ports().files.write(file, 'two', written);
  const run = await chosenRun(1, portsIn(home));
  await collect(undoWrites, {which: run}, portsIn(home));
  const error = await collect(undoWrites, {which: run}, portsIn(home)).catch(worded);
  expect(error).toMatchObject({
    code: 'local-nothing-to-undo',
    message: 'Another run has reverted this in the meantime.',
    remedy: 'See what else can be reverted: npx setup undo --list.',
  });
});

test('secrets that cannot be read are removed as well', async () => {
  const {ports, undone, home} = await place();
  const run = ports();
  await run.config.saveContext(context);
  await writeFile(join(home, 'credentials.json'), 'no JSON', {mode: 0o600});
  const {signedOut} = await undone().catch(error => error);
  expect(signedOut).toEqual(['acme']);
});

describe('a file that was changed since', () => {
  test('is told once, also where the run wrote it twice', async () => {
    const {file, ports, undone} = await place();
    const run = ports();
    await writeFile(file, '{"mine": true}');
    await run.files.write(file, '{"a": 1}', written);
    await run.files.write(file, '{"a": 2}', written);
    await writeFile(file, '{"a": 3}');
    const {files} = await undone();
    expect(files.map(({outcome}) => outcome)).toEqual(['changed-since']);
    // The comparison is with what the last write found, not with what the first one found.
    expect(files[0]?.diff).toMatch(/-.*3[\s\S]*\+.*1/);
    expect(await readFile(file, 'utf8')).toBe('{"a": 3}');
  });

  test('names no entries of another file', async () => {
    const {file, ports, undone, home} = await place();
    const entry = {assistant: 'cursor', scope: 'user', project: home, method: 'bridge', names: ['acme']} as const;
    await ports().config.saveContext({...context, entries: [{...entry, path: `${file}.other`}]});
    await ports().files.write(file, '{"a": 1}', written);
    await writeFile(file, '{"a": 2}');
    expect((await undone()).files[0]?.entries).toEqual([]);
  });

  test('is left alone, with what was changed and without its secrets; the others are put back', async () => {
    const {file, ports, undone, home} = await place();
    const [run, other] = [ports(), `${file}.other`];
    const entry = {assistant: 'cursor', scope: 'user', project: home, method: 'bridge', names: ['acme']} as const;
    await run.files.write(other, '{}', written);
    await run.files.write(file, '{"a": 1}', written);
    // The config is written last here, as when entries are removed.
    await run.config.saveContext({...context, entries: [{...entry, path: file}]});
    await run.credentials.update(context, async () => ({...context, accessToken: 'canary'}));
    await writeFile(file, '{"a": 2, "key": "canary"}');
    const {files: results, signedOut} = await undone();
    expect(results.map(({path, outcome}) => [path, outcome])).toEqual([
      [file, 'changed-since'],
      [other, 'removed'],
      [join(home, 'config.json'), 'kept'],
    ]);
    expect(results[0]?.entries).toEqual([{assistant: 'cursor', context: 'acme'}]);
    expect(results[2]?.because).toEqual({path: file, why: 'knows-its-entries'});
    expect(signedOut).toEqual([]);
    expect((await ports().config.read()).contexts[0]?.entries).toMatchObject([{path: file}]);
    expect((await ports().credentials.get(context))?.accessToken).toBe('canary');
    expect(results[0]?.diff).toContain('"a": 2');
    expect(results[0]?.diff).not.toContain('canary');
    expect(await readFile(file, 'utf8')).toBe('{"a": 2, "key": "canary"}');
  });

  test('keeps what keeps it out of git, and nothing else does', async () => {
    const {file, ports, undo, home} = await place();
    const [run, beside, elsewhere] = [ports(), join(file, '..', '.gitignore'), join(home, '.gitignore')];
    for (const path of [beside, elsewhere]) await run.files.write(path, '/mcp.json\n', written);
    await run.files.write(file, '{"a": 1}', written);
    await writeFile(file, '{"a": 2}');
    expect((await undo()).map(({path, outcome}) => [path, outcome])).toEqual([
      [file, 'changed-since'],
      [elsewhere, 'removed'],
      [beside, 'kept'],
    ]);
    // After the file was restored, both are undone together.
    await writeFile(file, '{"a": 1}');
    expect((await undo()).map(({outcome}) => outcome)).toEqual(['removed', 'removed']);
    expect(await exists(beside)).toBe(false);
  });

  onUnix('is found through a link to it as well', async () => {
    const {file, ports, undo, home} = await place();
    const linked = join(home, '..', 'linked.json');
    await writeFile(file, '{}');
    await symlink(file, linked);
    const entry = {assistant: 'cursor', scope: 'user', project: home, method: 'bridge', names: ['acme']} as const;
    const run = ports();
    await run.config.saveContext({...context, entries: [{...entry, path: linked}]});
    await run.files.write(linked, '{"a": 1}', {...written, mode: 0o644});
    await writeFile(file, '{"a": 2}');
    expect(await undo()).toMatchObject([
      {path: file, outcome: 'changed-since', entries: [{assistant: 'cursor'}]},
      {outcome: 'kept'},
    ]);
  });

  test('is also one that is gone', async () => {
    const {file, ports, undo} = await place();
    await writeFile(file, '{"mine": true}');
    await ports().files.write(file, '{}', written);
    await ports().files.remove(file);
    expect((await undo()).map(({outcome}) => outcome)).toEqual(['changed-since']);
  });

  test('is none that somebody has put back already, and it is no more in the way', async () => {
    const {file, ports, undo} = await place();
    const other = `${file}.new`;
    await writeFile(file, '{"mine": true}');
    const run = ports();
    await run.files.write(file, '{}', written);
    await run.files.write(other, '{}', written);
    await writeFile(file, '{"mine": true}');
    await rm(other);
    expect((await undo()).map(({outcome}) => outcome)).toEqual(['removed', 'restored']);
    expect(await ports().journal.list()).toEqual([]);
  });
});

/** Returns the range of a token in a text, as an editor reports it. */
const at = (text: string, token: string) => {
  const start = Buffer.from(text).indexOf(token);
  return [{start, end: start + token.length}];
};

test('a token of ours comes back where its sign-in is still there, and signed out where it is not', async () => {
  const {file, ports, undo} = await place();
  // The person's own words equal the masks that are used elsewhere.
  const text = '{"Authorization": "Bearer ours", "name": "ours <access token>", "other": "Bearer ours"}';
  const entries = [
    {assistant: 'cursor', scope: 'user', project: '/', method: 'header', path: file, names: []},
  ] as const;
  const change = async () => {
    await writeFile(file, text);
    await ports().files.write(file, '{}', {...written, tokens: {before: at(text, 'ours'), after: []}});
  };
  await ports().config.saveContext({...context, entries});
  await ports().credentials.replace(context, {...context, accessToken: 'next', heldTokens: 'another ours'});
  await change();
  await undo();
  expect(await readFile(file, 'utf8')).toBe(text);
  await ports().credentials.replace(context, undefined);
  await change();
  await undo();
  expect(await readFile(file, 'utf8')).toBe(text.replace('Bearer ours', 'Bearer signed-out-by-platform-setup'));
});

test('a sign-out since is no change, and neither is a token that was renewed and put back', async () => {
  const {file, ports, undo, home} = await place();
  const entry = (token: string) => `{"Authorization": "${token}"}`;
  const signedOut = entry('Bearer signed-out-by-platform-setup');
  const [first, second] = [entry('Bearer first-token'), entry('Bearer second-token')];
  await writeFile(file, '{"mine": true}');
  await ports().files.write(file, first, {...written, tokens: {before: [], after: at(first, 'first-token')}});
  const tokens = {before: at(first, 'first-token'), after: at(second, 'second-token')};
  await ports().files.write(file, second, {...written, tokens});
  const kept = await Promise.all(
    (await readdir(join(home, 'journal'))).map(name => readFile(join(home, 'journal', name), 'utf8')),
  );
  expect(kept.join('')).not.toMatch(/(first|second)-token/);

  await ports().files.write(file, signedOut, {...written, journal: false});
  expect((await undo()).map(({outcome}) => outcome)).toEqual(['restored']);
  expect(await readFile(file, 'utf8')).toBe(signedOut);
  expect((await undo()).map(({outcome}) => outcome)).toEqual(['restored']);
  expect(await readFile(file, 'utf8')).toBe('{"mine": true}');

  // Another token in the same place is somebody else's change.
  const third = entry('Bearer third-token');
  await ports().files.write(file, third, {...written, tokens: {before: [], after: at(third, 'third-token')}});
  await writeFile(file, entry('Bearer of-somebody-else'));
  expect((await undo()).map(({outcome}) => outcome)).toEqual(['changed-since']);
});

test('a large file is put back to the byte, and where it was changed since its bulk is not shown', async () => {
  const {file, ports, undo} = await place();
  const large = (last: string) => {
    const history = Array.from({length: 60_000}, (_, index) => `said ${index}, and ${last}`);
    return JSON.stringify({history, startups: 1, token: 'theirs', last: {}}, null, 2);
  };
  await writeFile(file, large('then'));
  await ports().files.write(file, '{}', written);
  await undo();
  expect((await readFile(file, 'utf8')) === large('then')).toBe(true);

  await ports().files.write(file, '{}', written);
  await writeFile(file, large('now'));
  const [changed = expect.fail()] = await undo();
  expect(changed).toMatchObject({outcome: 'changed-since', diff: expect.stringMatching(/^-.*"… \d+ bytes, /m)});
  expect(changed.diff?.length).toBeLessThan(500);
  expect(changed.diff).not.toMatch(/said|theirs/);
});
