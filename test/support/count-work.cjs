// Loaded before the program (NODE_OPTIONS=--require): counts the calls of the file system and Node's modules that a
// start needs, and writes both to the file that COUNT_FILE names. They are counted until the program ends, or until it
// has written the text of COUNT_UNTIL to standard output.
'use strict';

const fs = require('node:fs');

const {COUNT_FILE: file, COUNT_UNTIL: until} = process.env;
const {writeFileSync} = fs;

/** Whether a path is a directory above the home: there are as many calls for these as the home is deep. */
const isAbove = path => typeof path === 'string' && (path === '/' || `${process.env.HOME}`.startsWith(`${path}/`));

let calls = 0;
let counted;

for (const module of [fs, fs.promises]) {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== 'function' || !/^[a-z]/.test(name)) continue;
    module[name] = function (...args) {
      if (!isAbove(args[0])) calls += 1;
      return Reflect.apply(value, this, args);
    };
    Object.assign(module[name], value);
  }
}

const count = () => {
  const modules = process.moduleLoadList.filter(name => name.startsWith('NativeModule ')).length;
  counted ??= {calls, modules};
};

if (until) {
  const {get} = Object.getOwnPropertyDescriptor(process, 'stdout');
  let stdout;
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => {
      if (stdout) return stdout;
      stdout = get.call(process);
      const {write} = stdout;
      stdout.write = function (text, ...others) {
        if (String(text).includes(until)) count();
        return write.call(this, text, ...others);
      };
      return stdout;
    },
  });
}

process.on('exit', () => {
  count();
  writeFileSync(file, JSON.stringify(counted));
});
