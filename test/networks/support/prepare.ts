import {execFile} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import type {TestProject} from 'vitest/node';
import {makeCertificates} from './certificates.ts';
import {removeAbandoned} from './namespaces.ts';
import {MITMPROXY_VERSION, missingAtAll, missingFor, mitmproxyDirectory} from './tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the certificates. */
    readonly certificates: string;
  }
}

const run = promisify(execFile);

/** Installs mitmproxy once if the machine has none, creates the certificates, and reports which tests are skipped. */
export const setup = async ({provide}: TestProject): Promise<(() => void) | undefined> => {
  if (missingFor(['python3']) === undefined && missingFor(['mitmdump']) !== undefined) await installMitmproxy();
  const missing = missingAtAll();
  if (missing !== undefined) say(`Left out for want of what is missing: ${missing}.`);
  if (missingFor() !== undefined) {
    provide('certificates', '');
    return undefined;
  }
  await removeAbandoned();
  const directory = mkdtempSync(join(tmpdir(), 'setup-networks-'));
  await makeCertificates(directory);
  provide('certificates', directory);
  return () => rmSync(directory, {recursive: true, force: true});
};

const installMitmproxy = async (): Promise<void> => {
  say(`Installing mitmproxy ${MITMPROXY_VERSION}, once; this takes a minute.`);
  try {
    await run('python3', ['-m', 'venv', mitmproxyDirectory]);
    const pip = join(mitmproxyDirectory, 'bin', 'pip');
    await run(pip, ['install', '--quiet', `mitmproxy==${MITMPROXY_VERSION}`]);
  } catch (error) {
    rmSync(mitmproxyDirectory, {recursive: true, force: true});
    say(error instanceof Error ? error.message : String(error));
  }
};

const say = (line: string) => void process.stderr.write(`${line}\n`);
