import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {cp, mkdtemp, rm} from 'node:fs/promises';
import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {runProgram} from '../../clients/support/program.ts';
import {copyProgram} from '../../support/built-program.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

/** The version of the product that is the newest. The registry has an address for each. */
export type Newest = 'first' | 'second';

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
};

type Packed = {readonly manifest: Manifest; readonly tarball: Buffer};

/** Older than any minimum age that a runner demands of a version. */
const PUBLISHED = '2026-01-01T00:00:00.000Z';

export const versions: Readonly<Record<Newest, string>> = {first: readManifest(checkout).version, second: '99.1.0'};

/**
 * Starts a registry on loopback with two versions of the packed product, and with its native library from the
 * checkout. It has nothing else, so a runner that wants more fails.
 *
 * @param more directories of other packages for it
 */
export const startRegistry = async (more: readonly string[] = []) => {
  const directory = await mkdtemp(join(tmpdir(), 'setup-registry-'));
  const packages = await packAll(directory, more);
  await rm(directory, {recursive: true});
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url ?? '/', 'http://any').pathname);
    const [, newest, path] = /^\/(first|second)\/(.+)$/.exec(asked) ?? [];
    const file = packages.find(one => path === tarballPath(one.manifest));
    const found = packages.filter(({manifest}) => manifest.name === path);
    if (file) response.writeHead(200, {'Content-Type': 'application/octet-stream'}).end(file.tarball);
    else if (found.length > 0) {
      response.writeHead(200, {'Content-Type': 'application/json'});
      response.end(JSON.stringify(packument(found, `${origin()}/${newest}`, versions[newest as Newest])));
    } else response.writeHead(404, {'Content-Type': 'application/json'}).end('{"error":"not found"}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: origin(),
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const tarballPath = ({name, version}: Manifest) => `${name}/-/${name.replace(/.*\//, '')}-${version}.tgz`;

const packument = (all: readonly Packed[], registry: string, newest: string) => {
  const name = all[0]?.manifest.name;
  const entries = all.map(({manifest, tarball}) => {
    const dist = {
      tarball: `${registry}/${tarballPath(manifest)}`,
      shasum: createHash('sha1').update(tarball).digest('hex'),
      integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    };
    return [manifest.version, {...manifest, _id: `${name}@${manifest.version}`, dist}] as const;
  });
  const only = all.length === 1 ? all[0]?.manifest.version : newest;
  return {
    _id: name,
    name,
    'dist-tags': {latest: only},
    versions: Object.fromEntries(entries),
    time: {created: PUBLISHED, modified: PUBLISHED, ...Object.fromEntries(entries.map(([one]) => [one, PUBLISHED]))},
  };
};

const packAll = async (directory: string, more: readonly string[]): Promise<readonly Packed[]> => {
  const products = Object.values(versions).map(version => productAs(version, join(directory, version)));
  const others = await Promise.all(more.map((one, at) => copyOf(one, join(directory, `more-${at}`))));
  return Promise.all([...(await Promise.all(products)), ...(await libraries(directory)), ...others].map(pack));
};

const copyOf = async (from: string, to: string): Promise<string> => {
  await cp(from, to, {recursive: true});
  return to;
};

/** Copies the built product, with another version if that is not its own. */
const productAs = async (version: string, to: string): Promise<string> => {
  copyProgram(to, version);
  return to;
};

/** Returns the product's optional packages: those of its native parts that are in this checkout. */
const libraries = async (directory: string): Promise<readonly string[]> => {
  const scope = join(checkout, 'node_modules', '@napi-rs');
  const names = existsSync(scope) ? readdirSync(scope).filter(name => name.startsWith('keyring')) : [];
  return Promise.all(
    names.map(async name => {
      const to = join(directory, name);
      await cp(join(scope, name), to, {recursive: true});
      const manifest = readManifest(to);
      const here = Object.entries(manifest.optionalDependencies ?? {}).filter(([one]) => names.includes(one.slice(9)));
      writeFileSync(
        join(to, 'package.json'),
        JSON.stringify({...manifest, ...(here.length > 0 ? {optionalDependencies: Object.fromEntries(here)} : {})}),
      );
      return to;
    }),
  );
};

const pack = async (directory: string): Promise<Packed> => {
  const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', directory];
  const {code, stdout, stderr} = await runProgram('npm', args, {cwd: directory, env: process.env, timeout: 60_000});
  if (code !== 0) throw new Error(`npm pack exited with code ${code}: ${stderr}`);
  const name = /[^"\s]+\.tgz/.exec(stdout)?.[0].replace(/^@/, '').replace('/', '-');
  if (name === undefined) throw new Error(`npm pack named no file: ${stdout}`);
  return {manifest: readManifest(directory), tarball: readFileSync(join(directory, name))};
};

function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}
