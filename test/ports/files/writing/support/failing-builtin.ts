import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {onTestFinished} from 'vitest';

/** Lets a call of the file system fail until the test is over, for whoever has imported it by name. */
export const failingBuiltin = (name: 'rename', code: string) => {
  const original = fs.promises[name];
  fs.promises[name] = () => Promise.reject(Object.assign(new Error(code), {code}));
  syncBuiltinESMExports();
  onTestFinished(() => {
    fs.promises[name] = original;
    syncBuiltinESMExports();
  });
};
