// Imitates a runtime that keeps compiled code by itself, as Deno does.
'use strict';

const module_ = require('node:module');

module_.enableCompileCache = undefined;
module_.syncBuiltinESMExports();
