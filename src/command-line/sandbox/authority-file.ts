import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Writes a certificate (PEM) to a file that other programs can be pointed to. `remove` deletes file and directory. */
export const createAuthorityFile = async (certificate: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-sandbox-'));
  const path = join(directory, 'authority.pem');
  await writeFile(path, certificate, {mode: 0o644});
  return {path, remove: () => rm(directory, {recursive: true, force: true})};
};
