import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {promisify} from 'node:util';
import {onTestFinished} from 'vitest';

/** Makes a call of the file system fail until the test ends, in every module that imported it by name. */
export const failingBuiltin = (name: 'rename', code: string) => {
  const original = fs.promises[name];
  fs.promises[name] = () => Promise.reject(Object.assign(new Error(code), {code}));
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.promises[name] = original;
    syncBuiltinESMExports();
  });
};

/** Makes the sync of a file fail, as a file system may. */
export const failingSync = (code: string, isMeant: (call: number) => boolean = () => true) => {
  const original = fs.fsync;
  let calls = 0;
  const failing: (...args: Parameters<typeof original>) => void = (descriptor, done) => {
    calls += 1;
    if (isMeant(calls)) done(Object.assign(new Error(code), {code}));
    else original(descriptor, done);
  };
  fs.fsync = Object.assign(failing, {__promisify__: promisify(failing)});
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.fsync = original;
    syncBuiltinESMExports();
  });
};
