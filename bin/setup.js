#!/usr/bin/env node
// The launcher. Plain JavaScript that Node 12 can parse, because on an old Node it explains what is wrong.
'use strict';

var NEEDED = [22, 19];
var PRIVATE_NODE = 'node@24';

// The variable with which `fetchAndRun` passes the person's working directory to this launcher under the fetched
// Node.
var DIRECTORY_VARIABLE = 'SETUP_WORKING_DIRECTORY';

var path = require('path');

// Each build has a directory of its own, and this file names the one to start (scripts/build.js).
var dist = path.join(__dirname, '../dist');

function built(name) {
  return path.join(dist, require('fs').readFileSync(path.join(dist, 'current'), 'utf8').trim(), name);
}

if (process.env[DIRECTORY_VARIABLE]) {
  process.chdir(process.env[DIRECTORY_VARIABLE]);
  delete process.env[DIRECTORY_VARIABLE];
}

// The version alone needs neither the program nor a new Node.
if (process.argv.length === 3 && /^(--version|-v|version)$/.test(process.argv[2])) {
  print(require('../package.json').version + '\n');
} else if (isNewEnough(process.versions.node)) {
  if (!printToken() && !serveMcp()) start();
} else handOver();

// Most calls of `setup token`, and there are many, only need a valid token from the disk.
function printToken() {
  if (process.argv[2] !== 'token') return false;
  try {
    const {quickToken} = require(built('token.cjs'));
    const text = quickToken(process.argv.slice(3), process.env, Date.now(), process.pid);
    if (text !== undefined) print(text);
    return text !== undefined;
  } catch {
    return false;
  }
}

// Output here is short, and nothing follows it. If it cannot be written, the exit code says so.
function print(text) {
  process.stdout.on('error', unprinted);
  try {
    process.stdout.write(text);
  } catch (error) {
    unprinted(error);
  }
}

function unprinted(error) {
  process.exitCode = error.code === 'EPIPE' ? 141 : 6;
  if (error.code === 'EPIPE') return;
  try {
    process.stderr.write('Standard output could not be written (' + error.code + ').\n');
  } catch {
    // Only the exit code is left to report the failure.
  }
}

// The bridge that an assistant starts is a file of its own, which starts sooner.
function serveMcp() {
  if (process.argv[2] !== 'mcp' || process.argv[3] !== 'serve') return false;
  var file;
  try {
    file = built('serve.cjs');
  } catch {
    // Not built: the normal start reports that.
    return false;
  }
  if (!require('fs').existsSync(file)) return false;
  enableCompileCache();
  require(file).main(__filename, false);
  return true;
}

function start() {
  enableCompileCache();
  var file;
  try {
    file = built('cli.js');
  } catch {
    return sayNotBuilt();
  }
  var painted = paintFirstLine();
  import(require('url').pathToFileURL(file).href).then(
    cli => cli.main(__filename, painted),
    error => {
      process.exitCode = 70;
      if (error && error.code === 'ERR_INVALID_MODULE_SPECIFIER') {
        process.exitCode = 6;
        process.stderr.write(
          'Node cannot load modules from a directory with a backslash in its name: ' +
            path.join(__dirname, '..') +
            '\nMove it to another directory, then try again.\n',
        );
      } else if (error && error.code === 'ERR_MODULE_NOT_FOUND' && !require('fs').existsSync(file)) {
        sayNotBuilt();
      } else if (error && (error.code === 'EMFILE' || error.code === 'ENFILE')) {
        process.exitCode = 6;
        process.stderr.write('Too many files are open (' + error.code + '). Allow more: ulimit -n 1024\n');
      } else {
        process.stderr.write(String((error && error.stack) || error) + '\n');
      }
    },
  );
}

function sayNotBuilt() {
  process.exitCode = 70;
  process.stderr.write('The program is not built. Run: npm ci\n');
}

// Compiled code is kept in a directory of the user, not in the shared temporary one, where another user could put
// code for this program to run.
function enableCompileCache() {
  if (process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE) return;
  // Node writes the cache when the program ends, which would be after its removal.
  if (process.argv.indexOf('uninstall') > 0) return;
  var caches = cacheDirectory(process.env, process.platform === 'win32');
  if (!caches || !path.isAbsolute(caches) || !isOwn(caches)) return;
  // Deno keeps compiled code by itself.
  if (!require('module').enableCompileCache) return;
  // Whatever the umask, no other user may put code there.
  var umask = process.umask(0o077);
  require('module').enableCompileCache(path.join(caches, 'platform-setup', 'compile'));
  process.umask(umask);
}

// Returns the system's usual directory for caches. A relative variable counts as unset, as in the XDG base directory
// specification: it would mean code from the working directory. On Windows a program with a Unix past uses HOME.
function cacheDirectory(env, isWindows) {
  var home = isWindows ? env.USERPROFILE || env.HOME : env.HOME || env.USERPROFILE;
  var named = isWindows ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  if (named && path.isAbsolute(named)) return named;
  return home && path.join(home, isWindows ? 'AppData/Local' : '.cache');
}

// In another user's home (sudo -E), directories of this user would be in that user's way.
function isOwn(directory) {
  var above = path.dirname(directory);
  if (!process.geteuid || above === directory) return true;
  try {
    return require('fs').statSync(directory).uid === process.geteuid();
  } catch {
    return isOwn(above);
  }
}

// A person at a terminal sees the title at once. The wizard's first frame is drawn over it.
function paintFirstLine() {
  var isWizard = process.argv.slice(2).every((arg, index) => {
    return (arg === 'demo' && index === 0) || (/^--/.test(arg) && !/^--(json|yes|quiet|help|version)\b/.test(arg));
  });
  if (!isWizard || process.env.TERM === 'dumb' || isSpoken()) return false;
  // Without process.stdin, which takes a millisecond to create.
  var isTerminal = require('tty').isatty;
  if (!isTerminal(0) || !isTerminal(1)) return false;
  // Keys that are pressed meanwhile are for the first screen. The terminal itself would echo them below the title,
  // and the frame would begin one line too low. So raw mode begins before the title, after which a person may type.
  process.stdin.setRawMode(true);
  process.stdout.write('\n  Platform setup');
  return true;
}

// A screen reader gets no frame that would replace the title.
function isSpoken() {
  return process.argv.includes('--accessible') || process.env.ACCESSIBLE || process.env.INK_SCREEN_READER;
}

function isNewEnough(version) {
  var parts = version.split('.').map(Number);
  return parts[0] > NEEDED[0] || (parts[0] === NEEDED[0] && parts[1] >= NEEDED[1]);
}

// An older Node: uses the checkout's own if it is there, otherwise one that npm fetches, if the person agrees.
function handOver() {
  var own = ownNode();
  if (own) {
    run(own, [__filename].concat(process.argv.slice(2)));
    return;
  }
  var found = 'Node ' + process.versions.node + ' is too old: this program needs ' + NEEDED.join('.') + ' or newer.\n';
  if (isMusl()) {
    // npm's builds of Node are for glibc.
    fail(
      found,
      'Install a newer one with the system’s packages (on Alpine: apk add nodejs-current), then try again.\n',
    );
    return;
  }
  var words = ['--yes', '-p', PRIVATE_NODE, 'node', __filename].concat(process.argv.slice(2));
  // In another directory npx would take Node from the registry that a project there names.
  var later =
    'Install a newer one (https://nodejs.org), or run this in your home directory: ' +
    [process.platform === 'win32' ? 'npx.cmd' : 'npx'].concat(withoutSecrets(words)).map(quote).join(' ') +
    '\n';
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    fail(found, later);
    return;
  }
  process.stderr.write(found);
  var registry = findRegistry();
  var lines = require('readline').createInterface({input: process.stdin, output: process.stderr});
  var isAnswered = false;
  // Ctrl-C and the end of the input leave, as everywhere in this program.
  lines.on('close', () => {
    if (!isAnswered) {
      process.stderr.write('\n');
      process.exitCode = 130;
    }
  });
  var from = registry ? 'from ' + registry : 'through npm';
  lines.question(
    'Fetch a private ' + PRIVATE_NODE + ' ' + from + ' and go on? Nothing is installed. [Y/n] ',
    answer => {
      isAnswered = true;
      lines.close();
      if (/^\s*(y(es)?)?\s*$/i.test(answer)) {
        fetchAndRun(words);
      } else {
        process.stderr.write(later);
        process.exitCode = 130;
      }
    },
  );
}

// With `--json` the last line is the failure. Otherwise a person reads it as text.
function fail(what, next) {
  process.exitCode = 6;
  var failed = {type: 'failed', code: 'local-node-old', message: what.trim(), remedy: next.trim()};
  if (process.argv.includes('--json')) process.stdout.write(JSON.stringify(failed) + '\n');
  else process.stderr.write(what + next);
}

// A secret that was typed is not printed back.
function withoutSecrets(words) {
  return words.map((word, index) => {
    if (words[index - 1] === '--client-secret') return '***';
    return word.replace(/^(--client-secret=).*/, '$1***').replace(/\/\/[^/@]*@/, '//***@');
  });
}

// Systems like Alpine: their C library is not the one that Node's own builds need.
function isMusl() {
  if (process.platform !== 'linux' || !process.report) return false;
  return !process.report.getReport().header.glibcVersionRuntime;
}

// npm and npx start in the home directory: in the working directory they would obey the configuration of a project,
// and the registry that it names would decide what runs. Node returns to the working directory before the program
// begins.
function fetchAndRun(words) {
  var npx = npmProgram('npx');
  if (npx) {
    const env = withoutProjects(process.env);
    env[DIRECTORY_VARIABLE] = process.cwd();
    run(npx[0], npx.slice(1).concat(words), {cwd: homeDirectory(), env: env});
  } else {
    process.stderr.write(
      'No npm was found next to ' + process.execPath + ', so no Node can be fetched. Install a newer Node.\n',
    );
    process.exitCode = 6;
  }
}

// Returns the address of npm's registry, without credentials. Undefined if npm does not report it.
function findRegistry() {
  var npm = npmProgram('npm');
  if (!npm) return undefined;
  var options = {cwd: homeDirectory(), env: withoutProjects(process.env), encoding: 'utf8', timeout: 10000};
  var args = npm.slice(1).concat(['config', 'get', 'registry']);
  var said = require('child_process').spawnSync(npm[0], args, options).stdout;
  try {
    const address = new URL(said.trim());
    return address.origin === 'null' ? undefined : address.origin + address.pathname;
  } catch {
    return undefined;
  }
}

// Returns the command for npm or npx: this Node itself without a shell, if npm lies beside it, otherwise its own
// name.
function npmProgram(name) {
  var script = path.join('node_modules', 'npm', 'bin', name + '-cli.js');
  var here = path.dirname(process.execPath);
  var found = [path.join(here, script), path.join(here, '..', 'lib', script)].find(require('fs').existsSync);
  if (found !== undefined) return [process.execPath, found];
  var named = process.platform === 'win32' ? undefined : whereIs(name);
  return named === undefined ? undefined : [named];
}

function homeDirectory() {
  var home = process.platform === 'win32' ? process.env.USERPROFILE : process.env.HOME;
  return home && path.isAbsolute(home) && require('fs').existsSync(home) ? home : path.parse(process.execPath).root;
}

// Returns the environment without the settings of a project that a package manager passed on, and without variables
// that would load code into Node.
function withoutProjects(env) {
  var isFromPackageManager = env.npm_execpath || env.npm_config_user_agent || env.npm_lifecycle_event;
  var kept = Object.create(null);
  Object.keys(env).forEach(name => {
    if (/^(NODE_OPTIONS|NODE_PATH|PWD|OLDPWD|INIT_CWD)$/.test(name) || /^path$/i.test(name)) return;
    if (!(isFromPackageManager && /^npm_/.test(name))) kept[name] = env[name];
  });
  kept.PATH = absoluteDirectories(env).join(path.delimiter);
  return kept;
}

// Nothing in the working directory counts, because it may be an untrusted repository, nor do the directories that npm
// puts on PATH for it.
function absoluteDirectories(env) {
  var all = (env.PATH || env.Path || '').split(path.delimiter);
  var own = [];
  for (let at = process.cwd(); ; at = path.dirname(at)) {
    own.push(path.join(at, 'node_modules', '.bin'));
    if (path.dirname(at) === at) break;
  }
  return all.filter(directory => path.isAbsolute(directory) && own.indexOf(path.join(directory)) < 0);
}

function whereIs(name) {
  return [path.dirname(process.execPath)]
    .concat(absoluteDirectories(process.env))
    .map(directory => path.join(directory, name))
    .find(require('fs').existsSync);
}

function ownNode() {
  var name = process.platform === 'win32' ? 'node.exe' : 'node';
  var file = path.join(__dirname, '../node_modules/node/bin', name);
  return require('fs').existsSync(file) ? file : undefined;
}

function run(command, args, where) {
  var child = require('child_process').spawn(command, args, Object.assign({stdio: 'inherit'}, where));
  // The terminal sends Ctrl-C to both processes. The child decides how to end, and this process ends in the same way.
  // A console of Windows sends Ctrl-Break and its own end to both as well, and a signal to the child would kill it
  // there.
  var reachesBoth = process.platform === 'win32' ? ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] : ['SIGINT'];
  ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'].forEach(signal => {
    process.on(signal, () => {
      if (reachesBoth.indexOf(signal) < 0) child.kill(signal);
    });
  });
  child.on('error', error => {
    process.stderr.write(command + ' could not be started: ' + error.message + '\n');
    process.exitCode = 6;
  });
  child.on('close', code => {
    process.exitCode = code === null ? 1 : code;
  });
}

function quote(word) {
  return /^[\w@./:=-]+$/.test(word) ? word : "'" + word.replace(/'/g, "'\\''") + "'";
}
