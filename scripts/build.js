// Builds the program into dist/. Each build has a directory of its own, named after a hash of its sources. Programs
// of an earlier build may run for days, and load their parts on demand, so a build is placed beside the others, and
// `dist/current` names the one that is started from then on. The same sources are built only once.
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {chmod, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** How long a build that is no longer current is kept, in milliseconds. */
const KEPT = 24 * 60 * 60_000;

/** The sources of a build. The lock file stands for the libraries. */
const sources = ['src', 'scripts', 'patches', 'package.json', 'package-lock.json'];

/** Files that people and packagers look for outside of a build. */
const published = ['man', 'THIRD_PARTY_LICENSES', 'sbom.cdx.json'];

const isBuild = name => /^[0-9a-f]{16}$/.test(name);

/** Returns a short name for the present state of the sources. */
const fingerprint = () => {
  const hash = createHash('sha256');
  const add = path => {
    const isDirectory = statSync(join(root, path)).isDirectory();
    if (isDirectory) for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
    else
      hash.update(`${path}\0`).update(
        createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest(),
      );
  };
  for (const path of sources) add(path);
  return hash.digest('hex').slice(0, 16);
};

const isThere = path =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Replaces a file atomically, so that a reader finds the old one or the new one, whole. */
const put = async (path, contents) => {
  const temporary = `${path}.${process.pid}.new`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
};

/** If another process has finished first, its build is kept: it is made from the same sources. */
const putInPlace = async (made, place) => {
  try {
    await rename(made, place);
  } catch (error) {
    if (!(await isThere(place))) throw error;
    await rm(made, {recursive: true, force: true});
  }
};

const publish = async build => {
  await mkdir(join(dist, 'man'), {recursive: true});
  for (const name of published) {
    const from = join(dist, build, name);
    const pages = (await stat(from)).isDirectory() ? await readdir(from) : undefined;
    if (pages) for (const page of pages) await put(join(dist, name, page), await readFile(join(from, page)));
    else await put(join(dist, name), await readFile(from));
  }
};

/** Removes builds that should no longer be in use, and the remains of interrupted builds. */
const removeOld = async current => {
  const keep = new Set([current, 'current', '.npmignore', ...published]);
  for (const name of await readdir(dist)) {
    if (keep.has(name)) continue;
    const path = join(dist, name);
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (isBuild(name) || /\.new$/.test(name) ? age > KEPT : true) await rm(path, {recursive: true, force: true});
  }
};

const build = fingerprint();
const before = await readFile(join(dist, 'current'), 'utf8').catch(() => undefined);
if (before !== build || !(await isThere(join(dist, build)))) {
  await mkdir(dist, {recursive: true});
  if (!(await isThere(join(dist, build)))) {
    const made = join(dist, `${build}.${process.pid}.new`);
    await rm(made, {recursive: true, force: true});
    await mkdir(made);
    const {bundle} = await import('./bundle.js');
    await bundle(made);
    await putInPlace(made, join(dist, build));
  }
  await publish(build);
  // A package contains one build, whatever others are in the directory.
  const packed = ['/*', '!/current', `!/${build}`, ...published.flatMap(name => [`!/${name}`, `/${build}/${name}`])];
  await put(join(dist, '.npmignore'), `${packed.join('\n')}\n`);
  await put(join(dist, 'current'), build);
  // The age of the previous build counts from now.
  if (before !== undefined && isBuild(before)) await utimes(join(dist, before), new Date(), new Date()).catch(() => {});
  await removeOld(build);
  await chmod(join(root, 'bin/setup.js'), 0o755);
}
