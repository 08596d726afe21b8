import {describe, expect, test} from 'vitest';
import {setMode, sync} from '../../../../src/ports/files/owner.ts';

const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), {code}));

describe.each(['EPERM', 'EINVAL', 'ENOTSUP'])('a file system that answers %s', code => {
  test('is used without modes', async () => {
    await setMode({chmod: failing(code)}, 0o600);
  });

  test('is used without being synced', async () => {
    await sync({fd: 1}, failing(code));
  });
});

test.each(['EIO', 'ENOSPC', 'EDQUOT'])('%s is a failure', async code => {
  await expect(sync({fd: 1}, failing(code))).rejects.toMatchObject({code});
  await expect(setMode({chmod: failing(code)}, 0o600)).rejects.toMatchObject({code});
});
