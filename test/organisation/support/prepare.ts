import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {cp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';
import {startRegistry} from '../../runners/support/registry.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The origin of a registry on loopback with the product and a Node.js for this machine. */
    readonly registry: string;
  }
}

/** Makes npm's package of Node.js for this machine, from the Node that runs here. */
const nodePackage = async (directory: string): Promise<string> => {
  const name = `node-linux-${process.arch}`;
  const to = join(directory, name);
  mkdirSync(join(to, 'bin'), {recursive: true});
  await cp(process.execPath, join(to, 'bin', 'node'));
  const manifest = {name, version: process.versions.node, bin: {node: 'bin/node'}};
  writeFileSync(join(to, 'package.json'), JSON.stringify(manifest));
  return to;
};

/** Packs the product, and serves it during the tests. */
export const setup = async ({provide}: TestProject): Promise<() => Promise<void>> => {
  const directory = mkdtempSync(join(tmpdir(), 'setup-node-'));
  const {origin, close} = await startRegistry([await nodePackage(directory)]);
  rmSync(directory, {recursive: true});
  provide('registry', `${origin}/first`);
  return close;
};
