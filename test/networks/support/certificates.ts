import {execFile} from 'node:child_process';
import {appendFile, copyFile, cp, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {tool} from './tools.ts';

/** The three host names of the platform, and that of the proxy. */
export const hosts = {
  controlPlane: 'api.acme.test',
  identityProvider: 'idp.acme.test',
  observer: 'observer.acme.test',
} as const;

export const PROXY_HOST = 'proxy.corp.test';

/** The certificate of a server: a `.crt` and a `.key` in the directory of the certificates. */
export type ServerCertificate = 'platform' | 'expired' | 'other-name' | 'weak' | 'impostor';

const names = [...Object.values(hosts), PROXY_HOST];

type Leaf = {
  readonly names?: readonly string[];
  readonly issuer?: 'authority' | 'stranger';
  readonly digest?: 'sha256' | 'sha1';
  /** The end of its validity. Ten days from now by default. */
  readonly until?: string;
};

const leaves: Readonly<Record<string, Leaf>> = {
  platform: {},
  expired: {until: '20210101000000Z'},
  'other-name': {names: ['api.other.test']},
  weak: {digest: 'sha1'},
  impostor: {issuer: 'stranger'},
  client: {names: ['ann']},
  'stranger-client': {names: ['eve'], issuer: 'stranger'},
};

/** Returns the paths of the created files. `name` is that of a leaf certificate. */
export const certificatePaths = (directory: string) => ({
  /** The company's authority, which no machine trusts by default. */
  authority: join(directory, 'authority.crt'),
  /** The authority of an intercepting proxy. */
  interceptor: join(directory, 'stranger.crt'),
  /** Its certificate and its key in one file, as the proxy reads them. */
  interceptorWithKey: join(directory, 'stranger.pem'),
  /** A system's store with the authority in it, instead of /etc/ssl/certs. */
  store: join(directory, 'store'),
  certificate: (name: string) => join(directory, `${name}.crt`),
  key: (name: string) => join(directory, `${name}.key`),
});

/** Creates the company's authority, an unknown one, and the certificates that they sign. */
export const makeCertificates = async (directory: string): Promise<void> => {
  const openssl = async (...args: readonly string[]) =>
    (await promisify(execFile)(tool('openssl'), args, {cwd: directory})).stdout;
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const issuer of ['authority', 'stranger']) {
    const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign,cRLSign'];
    await openssl(
      ...['req', '-x509', ...key, '-keyout', `${issuer}.key`, '-out', `${issuer}.crt`, '-days', '10'],
      ...['-subj', `/O=Acme/CN=Acme ${issuer}`, ...extensions.flatMap(one => ['-addext', one])],
    );
    await writeFile(join(directory, `${issuer}.index`), '');
    await writeFile(join(directory, `${issuer}.cnf`), configurationOf(issuer));
  }
  for (const [name, {names: own = names, issuer = 'authority', digest = 'sha256', until}] of Object.entries(leaves)) {
    const alternatives = `subjectAltName=${own.map(one => `DNS:${one}`).join(',')}`;
    await openssl(
      ...['req', '-new', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`],
      ...['-subj', `/O=Acme/CN=${own[0]}`, '-addext', alternatives],
    );
    const validity = until ? ['-startdate', '20200101000000Z', '-enddate', until] : ['-days', '10'];
    await openssl(
      ...['ca', '-batch', '-notext', '-config', `${issuer}.cnf`, '-md', digest, ...validity],
      ...['-in', `${name}.csr`, '-out', `${name}.crt`],
    );
  }
  const {interceptor, interceptorWithKey} = certificatePaths(directory);
  const both = await Promise.all([join(directory, 'stranger.key'), interceptor].map(path => readFile(path, 'utf8')));
  await writeFile(interceptorWithKey, both.join(''));
  await makeStore(directory, (await openssl('x509', '-hash', '-noout', '-in', 'authority.crt')).trim());
};

const configurationOf = (issuer: string) =>
  [
    ...['[ca]', 'default_ca=own', '[own]', `database=${issuer}.index`, `certificate=${issuer}.crt`],
    ...[`private_key=${issuer}.key`, 'new_certs_dir=.', 'rand_serial=yes', 'unique_subject=no', 'policy=any'],
    ...['copy_extensions=copy', '[any]', 'commonName=supplied', 'organizationName=optional', ''],
  ].join('\n');

/** Copies the machine's own store, and adds the authority as `update-ca-certificates` does. */
const makeStore = async (directory: string, hash: string) => {
  const {authority, store} = certificatePaths(directory);
  await cp('/etc/ssl/certs', store, {recursive: true, verbatimSymlinks: true});
  await copyFile(authority, join(store, 'acme-authority.pem'));
  await copyFile(authority, join(store, `${hash}.0`));
  await appendFile(join(store, 'ca-certificates.crt'), await readFile(authority, 'utf8'));
};
