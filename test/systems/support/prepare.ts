import {chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';
import {copyProgram} from '../../support/built-program.ts';
import {missing} from './missing.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A directory with the built program and Node that every user can read. */
    readonly installed: string;
  }
}

/** Copies the built program to where other users can start it, and reports which tests are skipped. */
export const setup = ({provide}: TestProject): (() => void) | undefined => {
  const reason = missing();
  if (reason !== undefined) process.stderr.write(`Left out for want of ${reason}.\n`);
  if (missing('bindfs') !== undefined) process.stderr.write(`Left out in part for want of ${missing('bindfs')}.\n`);
  if (reason !== undefined) {
    provide('installed', '');
    return undefined;
  }
  const directory = mkdtempSync(join(tmpdir(), 'setup-systems-'));
  chmodSync(directory, 0o755);
  copyProgram(directory);
  mkdirSync(join(directory, 'node'));
  const node = join(directory, 'node', 'node');
  try {
    linkSync(process.execPath, node);
  } catch {
    copyFileSync(process.execPath, node);
  }
  provide('installed', directory);
  return () => rmSync(directory, {recursive: true, force: true});
};
