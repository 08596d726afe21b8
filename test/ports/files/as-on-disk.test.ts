import {describe, expect, test} from 'vitest';
import {asOnDisk} from '../../../src/ports/files/regular-file.ts';

/** A disk that finds a directory in any capitals. */
const disk = (...directories: readonly string[]) => {
  const known = new Map(directories.map(one => [one.normalize('NFC').toLowerCase(), one]));
  return (path: string) => {
    const found = known.get(path.normalize('NFC').toLowerCase());
    if (found === undefined) throw Object.assign(new Error('ENOENT'), {code: 'ENOENT'});
    return found;
  };
};

describe('a directory that was typed in other capitals', () => {
  test.each([
    ['win32', 'c:\\work\\APP', 'C:\\Work\\App'],
    ['darwin', '/users/ann/work', '/Users/ann/Work'],
    ['darwin', '/Users/ann/u\u0308ber', '/Users/ann/\u00FCber'],
  ] as const)('is called on %s as the disk has it', (platform, typed, real) => {
    expect(asOnDisk(typed, platform, disk(real))).toBe(real);
  });

  test('is as it was typed where it is not there, and on Linux', () => {
    expect(asOnDisk('c:\\gone', 'win32', disk())).toBe('c:\\gone');
    expect(asOnDisk('/Work', 'linux', disk('/work'))).toBe('/Work');
  });
});

test('a link, and a drive that stands for a directory, stay as they were typed', () => {
  expect(asOnDisk('/tmp/app', 'darwin', () => '/private/tmp/app')).toBe('/tmp/app');
  expect(asOnDisk('S:\\app', 'win32', () => 'C:\\work\\app')).toBe('S:\\app');
});
