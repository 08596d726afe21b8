import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createFiles} from '../../../../src/ports/files/files.ts';
import {createOwnerOnly, type OwnerOnly} from '../../../../src/ports/files/owner-only.ts';
import {temporaryDirectory} from '../../../support/place.ts';
import {onUnix} from '../../../support/systems/on-unix.ts';

const path = 'C:\\Users\\ann lee\\AppData\\Local\\platform-setup\\credentials.json';
const env = {SystemRoot: 'D:\\Windows', USERDOMAIN: 'ACME'};

/** Windows' access lists, with an `icacls` that prints this. */
const saying = (stdout: string, code = 0) => {
  const ran: (readonly string[])[] = [];
  const lists = createOwnerOnly(
    env,
    {
      run: async (command, args) => {
        ran.push([command, ...args]);
        return {outcome: 'exited', code, stdout, stderr: ''};
      },
    },
    () => 'ann',
  );
  return {lists, ran};
};

test('a file is taken from everybody else by the program of Windows itself', async () => {
  const {lists, ran} = saying('');
  await lists.restrict(path);
  expect(ran).toEqual([['D:\\Windows\\System32\\icacls.exe', path, '/inheritance:r', '/grant:r', 'ACME\\ann:F', '/Q']]);
});

describe('a person is alone in the list of a file', () => {
  const end = '\r\n\r\nSuccessfully processed 1 files; Failed processing 0 files\r\n';
  test.each([
    ['where nobody else is in it', `${path} ACME\\ann:(F)${end}`, 0, true],
    ['in whichever capitals', `${path} acme\\Ann:(F)${end}`, 0, true],
    [
      'in any language',
      `${path} ACME\\ann:(F)\r\n\r\n1 Dateien erfolgreich verarbeitet, bei 0 Dateien ist ein Verarbeitungsfehler aufgetreten.`,
      0,
      true,
    ],
    ['not where it is inherited', `${path} ACME\\ann:(I)(F)${end}`, 0, false],
    ['not beside others', `${path} ACME\\ann:(F)\r\n    BUILTIN\\Administrators:(I)(F)${end}`, 0, false],
    ['not where it is another’s', `${path} ACME\\joann:(F)${end}`, 0, false],
    ['not where the program failed', `${path} ACME\\ann:(F)`, 5, false],
    ['not where it says nothing', '', 0, false],
  ])('%s', async (_name, stdout, code, expected) => {
    expect(await saying(stdout, code).lists.isRestricted(path)).toBe(expected);
  });
});

test('where there is no such program, nothing fails and nothing is claimed', async () => {
  const lists = createOwnerOnly(env, {run: async () => ({outcome: 'missing'})}, () => 'ann');
  await lists.restrict(path);
  expect(await lists.isRestricted(path)).toBe(false);
});

describe('a file with secrets', () => {
  const options = {mode: 0o600, tighten: true, own: true, journal: false} as const;

  /** Creates a system with access lists, and records the size of each restricted file at that time. */
  const onLists = async () => {
    const restricted: {readonly path: string; readonly size: number}[] = [];
    const lists: OwnerOnly = {
      restrict: async one => void restricted.push({path: one, size: (await stat(one)).size}),
      isRestricted: async one => restricted.some(known => known.path === one),
    };
    const files = createFiles({record: async () => async () => {}}, undefined, lists);
    return {files, restricted, file: join(await temporaryDirectory(), 'credentials.json')};
  };

  test('is closed to others before anything stands in it', async () => {
    const {files, restricted, file} = await onLists();
    await files.write(file, 'secret', {...options, secret: true});
    expect(restricted).toEqual([{path: expect.stringMatching(/credentials\.json\./), size: 0}]);
    expect(await readFile(file, 'utf8')).toBe('secret');
  });

  test('is so too where its room was taken ahead', async () => {
    const {files, restricted, file} = await onLists();
    const reserved = await files.reserve(file, 100);
    await files.write(file, 'secret', {...options, secret: true, reserved});
    expect(restricted).toHaveLength(1);
    expect(restricted[0]?.size).toBe(0);
  });

  test('is closed as it is, where its contents stay', async () => {
    const {files, restricted, file} = await onLists();
    await files.write(file, 'secret', options);
    expect(restricted).toEqual([]);
    expect(await files.isForOwner(file)).toBe(false);
    await files.write(file, 'secret', {...options, secret: true});
    expect(restricted).toEqual([{path: file, size: 6}]);
    expect(await files.isForOwner(file)).toBe(true);
  });

  onUnix('is for its owner by its mode, where there are modes', async () => {
    const file = join(await temporaryDirectory(), 'credentials.json');
    const files = createFiles({record: async () => async () => {}}, undefined);
    expect(await files.isForOwner(file)).toBe(true);
    await files.write(file, 'secret', {...options, mode: 0o640});
    expect(await files.isForOwner(file)).toBe(false);
    await files.write(file, 'secret', {...options, secret: true});
    expect(await files.isForOwner(file)).toBe(true);
  });
});
