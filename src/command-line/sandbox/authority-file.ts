import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** Puts a certificate (PEM) where other programs can be told to look for it. `remove` takes it away again, directory and all. */
export const createAuthorityFile = async (certificate: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-sandbox-'));
  const path = join(directory, 'authority.pem');
  await writeFile(path, certificate, {mode: 0o644});
  return {path, remove: () => rm(directory, {recursive: true, force: true})};
};
