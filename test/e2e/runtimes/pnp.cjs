// Imitates what Yarn's Plug'n'Play does to Node, as far as this program is affected: file handles cannot be synced,
// and they read nothing without a length. Every process that loads this file records its arguments.
'use strict';

const {appendFileSync, promises} = require('node:fs');
const {syncBuiltinESMExports} = require('node:module');
const {join} = require('node:path');

process.versions.pnp = '3';
appendFileSync(join(process.env.HOME, 'loaded'), `${process.argv[2]}\n`);

const refuse = () => {
  throw new Error('Method not implemented.');
};

const {open} = promises;
promises.open = async (...args) => {
  const handle = await open(...args);
  const read = handle.read.bind(handle);
  const own = {
    ...{sync: refuse, datasync: refuse, utimes: refuse, readv: refuse},
    read: (buffer, offset = 0, length = 0, position = null) => read(buffer, offset, length, position),
  };
  return new Proxy(handle, {
    get: (target, name) => {
      if (name in own) return own[name];
      const value = target[name];
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
syncBuiltinESMExports();
