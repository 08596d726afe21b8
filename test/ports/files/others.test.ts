import {chmod, chown, mkdir, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openToOthers} from '../../../src/ports/files/others.ts';
import {temporaryDirectory} from '../../support/place.ts';

/** Creates a file in a directory of this program, inside another directory. Only the person can access them. */
const kept = async () => {
  const above = join(await temporaryDirectory(), 'above');
  const own = join(above, 'own');
  await mkdir(own, {recursive: true, mode: 0o700});
  const path = join(own, 'config.json');
  await writeFile(path, '{}', {mode: 0o600});
  return {above, own, path};
};

describe.skipIf(process.platform === 'win32')('what others can change', () => {
  test('is nothing that is the person’s alone, there or not, or that others can only read', async () => {
    const {above, own, path} = await kept();
    expect(openToOthers([path, join(own, 'nothing'), join(own, 'no', 'thing')])).toBeUndefined();
    await chmod(path, 0o644);
    await chmod(own, 0o755);
    await chmod(above, 0o755);
    expect(openToOthers([path])).toBeUndefined();
  });

  test.each([0o620, 0o602, 0o666])('is a file of mode %o', async mode => {
    const {path} = await kept();
    await chmod(path, mode);
    expect(openToOthers([join(path, '..', 'other'), path])).toBe(path);
  });

  test.each([0o720, 0o702, 0o777, 0o1777])('is the directory of our files with mode %o', async mode => {
    const {own, path} = await kept();
    await chmod(own, mode);
    expect(openToOthers([path])).toBe(own);
    expect(openToOthers([join(own, 'nothing')])).toBe(own);
  });

  test('is a directory above, unless it keeps others from replacing what is not theirs', async () => {
    const {above, path} = await kept();
    await chmod(above, 0o777);
    expect(openToOthers([path])).toBe(above);
    await chmod(above, 0o1777);
    expect(openToOthers([path])).toBeUndefined();
    await chmod(above, 0o702);
    expect(openToOthers([path])).toBe(above);
  });

  test.runIf(process.getuid?.() === 0)(
    'is a directory above for a group, where that is not the person’s own',
    async () => {
      const {above, path} = await kept();
      await chmod(above, 0o770);
      expect(openToOthers([path])).toBeUndefined();
      await chown(above, 0, 100);
      expect(openToOthers([path])).toBe(above);
    },
  );

  test('is looked for where a link leads, and where it lies', async () => {
    const {own, path} = await kept();
    const elsewhere = await kept();
    const link = join(elsewhere.own, 'link.json');
    await symlink(path, link);
    expect(openToOthers([link])).toBeUndefined();
    await chmod(own, 0o777);
    expect(openToOthers([link])).toBe(own);
    await chmod(own, 0o700);
    await chmod(elsewhere.own, 0o777);
    expect(openToOthers([link])).toBe(elsewhere.own);
  });
});
