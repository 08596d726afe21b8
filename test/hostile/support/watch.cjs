// Loaded before the program: records every program that it starts and every path that it opens for writing, one per
// line, in the file that WATCHED names.
'use strict';
const childProcess = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {syncBuiltinESMExports} = require('node:module');

const file = process.env.WATCHED;
delete process.env.WATCHED;
const append = fs.appendFileSync;
const realpath = fs.realpathSync;

let isNoting = false;
const note = line => {
  if (isNoting) return;
  isNoting = true;
  append(file, `${JSON.stringify(line)}\n`);
  isNoting = false;
};

/**
 * Returns the real path of a write: an existing path is resolved, and a missing one is in the resolved directory
 * above it.
 */
const landing = name => {
  const at = path.resolve(String(name));
  try {
    return realpath(at);
  } catch {
    return path.dirname(at) === at ? at : path.join(landing(path.dirname(at)), path.basename(at));
  }
};

const {spawn} = childProcess;
childProcess.spawn = (command, args, options) => {
  note({
    started: [command, ...args],
    cwd: options?.cwd ?? process.cwd(),
    env: Object.keys(options?.env ?? process.env),
  });
  return spawn(command, args, options);
};

const isWriting = flags =>
  typeof flags === 'number' ? (flags & 3) !== 0 : typeof flags === 'string' && flags !== 'r' && flags !== 'rs';

const watch = (owner, name, pathsOf) => {
  const original = owner[name];
  owner[name] = (...args) => {
    for (const one of pathsOf(args)) {
      if (typeof one === 'number') continue;
      // Removing or renaming a link changes the link itself.
      const isName = ['rename', 'unlink', 'rm', 'rmdir'].some(verb => name.startsWith(verb));
      const at = path.resolve(String(one));
      note({wrote: isName ? path.join(landing(path.dirname(at)), path.basename(at)) : landing(at), by: name});
    }
    return original.apply(owner, args);
  };
};

for (const [owner, suffix] of [
  [fs, 'Sync'],
  [fs.promises, ''],
]) {
  watch(owner, `open${suffix}`, ([name, flags]) => (isWriting(flags) ? [name] : []));
  for (const name of ['writeFile', 'appendFile', 'mkdir', 'rmdir', 'rm', 'unlink', 'truncate', 'chmod', 'utimes'])
    watch(owner, `${name}${suffix}`, ([one]) => (typeof one === 'object' && 'fd' in one ? [] : [one]));
  watch(owner, `rename${suffix}`, ([from, to]) => [from, to]);
  watch(owner, `symlink${suffix}`, ([, to]) => [to]);
  watch(owner, `copyFile${suffix}`, ([, to]) => [to]);
}
syncBuiltinESMExports();
