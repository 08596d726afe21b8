import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test, vi} from 'vitest';
import {Secret} from '../../src/domain/secret.ts';
import {
  digest,
  noTokens,
  type PlannedWrite,
  readPlanned,
  type WritableFile,
  writePlanned,
} from '../../src/flows/planned-file.ts';
import {portsIn, temporaryDirectory} from '../support/place.ts';
import {expectMode} from '../support/systems/system-here.ts';

const theirs = '{"token": "token-of-then"}';

/** Creates a file with this content, or none, and the write that is planned for it. */
const planned = async (before: string | null, change: Partial<PlannedWrite> = {}) => {
  const home = await temporaryDirectory();
  const path = join(home, 'mcp.json');
  if (before !== null) await writeFile(path, before, {mode: 0o644});
  const ports = portsIn(home);
  const write = {
    after: new Secret('{"token": "token-of-now"}'),
    mode: 0o600,
    tighten: true,
    tokens: noTokens,
    ...change,
  };
  const bytes = before === null ? null : Buffer.from(before);
  const file: WritableFile = {path, change: 'changed', summary: '', diff: '', before: digest(bytes), write};
  return {path, ports, file, text: () => readFile(path, 'utf8')};
};

describe('a file is written as it was planned', () => {
  test.each([
    ['a new one', null, 0o600],
    ['one that is there, which nobody else may read from then on', theirs, 0o600],
  ])('%s', async (_which, before, mode) => {
    const {file, ports, path, text} = await planned(before);
    await writePlanned(file, ports);
    expect(await text()).toBe('{"token": "token-of-now"}');
    await expectMode(path, mode);
    expect(await ports.journal.list()).toMatchObject([{path, before: before === null ? null : {text: before}}]);
  });

  test('to the byte, with the mode that it has where that need not change', async () => {
    const after = Buffer.from([0x6b, 0xfc]);
    const {file, ports, path} = await planned(theirs, {after, tighten: false});
    await writePlanned(file, ports);
    expect(await readFile(path)).toEqual(after);
    await expectMode(path, 0o644);
  });

  test('or goes, and undo can bring it back without our tokens', async () => {
    const {file, ports, path} = await planned(theirs, {
      after: null,
      tokens: {before: [{start: 11, end: 24}], after: []},
    });
    await writePlanned(file, ports);
    expect(await ports.files.exists(path)).toBe(false);
    const [entry] = await ports.journal.list();
    expect(entry).toMatchObject({path, after: null});
    expect(JSON.stringify(entry)).not.toContain('token-of-then');
  });

  test('and it is known what a sign-out will make of it', async () => {
    const {file, ports} = await planned(theirs, {signedOut: new Secret('{}')});
    await writePlanned(file, ports);
    expect((await ports.journal.list())[0]?.signedOut).toBe(digest(Buffer.from('{}')));
  });
});

describe('a file that another program has changed since', () => {
  test.each([
    ['has other bytes', theirs, `${theirs}\n`],
    ['was made meanwhile', null, theirs],
  ])('is left alone: it %s', async (_how, before, now) => {
    const {file, ports, path, text} = await planned(before);
    await writeFile(path, now);
    const refused = {code: 'local-file-changed', about: {path}, message: expect.stringContaining(path)};
    await expect(readPlanned(file, ports)).rejects.toMatchObject(refused);
    await expect(writePlanned(file, ports)).rejects.toMatchObject(refused);
    expect(await text()).toBe(now);
  });

  test('is no matter where nothing is to be changed', async () => {
    const {file, ports} = await planned(theirs);
    expect(await readPlanned({...file, change: 'unchanged', before: 'another'}, ports)).toEqual(Buffer.from(theirs));
  });

  test('in the very moment of the write is left alone as well', async () => {
    const {file, ports} = await planned(theirs);
    const write = vi.spyOn(ports.files, 'write');
    await writePlanned(file, ports);
    expect(write.mock.calls[0]?.[2].expected).toEqual(Buffer.from(theirs));
  });
});

test('a file that is not there is planned from nothing', async () => {
  const {file, ports} = await planned(null);
  expect(await readPlanned(file, ports)).toBeNull();
});
