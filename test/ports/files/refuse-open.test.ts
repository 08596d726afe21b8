import {chmod, mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {refuseOpen} from '../../../src/ports/files/regular-file.ts';
import {temporaryDirectory} from '../../support/place.ts';

test.skipIf(process.platform === 'win32')(
  'what others can change is told with the command that closes it',
  async () => {
    const own = join(await temporaryDirectory(), "Ann's own");
    const path = join(own, 'config.json');
    await mkdir(own, {mode: 0o700});
    await writeFile(path, '{}', {mode: 0o600});
    expect(() => refuseOpen([path])).not.toThrow();
    await chmod(own, 0o777);
    expect(() => refuseOpen([path])).toThrow(
      expect.objectContaining({
        code: 'local-open-to-others',
        message: `Others on this machine can change ${own}, so nothing in ${path} is used.`,
        remedy: expect.stringContaining(`chmod go-w '${own.replace("'", `'\\''`)}'.`),
        about: {path: own},
      }),
    );
    await chmod(own, 0o700);
    await chmod(path, 0o666);
    expect(() => refuseOpen([path])).toThrow(`Others on this machine can change ${path}, so nothing in it is used.`);
  },
);
