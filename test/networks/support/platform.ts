import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {certificatePaths, type ServerCertificate} from './certificates.ts';
import type {Manner} from './manners.ts';
import {ready, type Zone} from './names.ts';
import type {Network} from './namespaces.ts';
import {tool} from './tools.ts';

/** The settings that `platform-process.ts` gets at its start. */
export type PlatformSettings = {
  readonly scheme: 'http' | 'https';
  readonly certificate: string;
  readonly key: string;
  readonly manner: Manner;
  /** The authority of the certificates that clients have to present. */
  readonly clientAuthority?: string;
  /** The port for plain http, behind a front that speaks TLS. */
  readonly backendPort?: number;
  /** In seconds. */
  readonly accessTokenLifetime?: number;
};

export type PlatformReady = {
  readonly type: 'ready';
  readonly clientId: string;
  readonly clientSecret: string;
  readonly urls: readonly string[];
};

export type PlatformOptions = {
  readonly scheme?: 'http' | 'https';
  readonly certificate?: ServerCertificate;
  readonly manner?: Manner;
  /** Set if clients must present a certificate. A client without one gets a TLS alert or a page. */
  readonly wantsCertificate?: 'alert' | 'page';
  readonly accessTokenLifetime?: number;
};

export type Told = {readonly type: string; readonly [key: string]: unknown};

export type Platform = PlatformReady & {
  /** Everything that it has reported so far. */
  readonly told: readonly Told[];
  /** Resolves with the next line of a type. */
  next(type: string): Promise<Told>;
  /** Makes it answer in another manner from now on. */
  become(manner: Manner): Promise<void>;
};

const program = fileURLToPath(new URL('platform-process.ts', import.meta.url));
const front = fileURLToPath(new URL('front.py', import.meta.url));
const BACKEND_PORT = 8080;

/** Starts a platform in its namespace. */
export const startPlatform = async (
  network: Network,
  certificates: string,
  options: PlatformOptions,
  zone: Zone,
): Promise<Platform> => {
  const {scheme = 'https', certificate = 'platform', manner = {name: 'as-it-is'}, wantsCertificate} = options;
  const {accessTokenLifetime} = options;
  const paths = certificatePaths(certificates);
  const settings: PlatformSettings = {
    ...{scheme, certificate: paths.certificate(certificate), key: paths.key(certificate)},
    manner: wantsCertificate === 'page' ? {name: 'wants-certificate'} : manner,
    ...(wantsCertificate === 'page' ? {clientAuthority: paths.authority} : {}),
    ...(wantsCertificate === 'alert' ? {backendPort: BACKEND_PORT} : {}),
    ...(accessTokenLifetime === undefined ? {} : {accessTokenLifetime}),
  };
  const child = network.start('platform', [process.execPath, program, JSON.stringify(settings)], {instead: zone.known});
  const {stdin, stdout, stderr} = child;
  if (!stdin || !stdout || !stderr) throw new Error('The platform was started without pipes.');
  const told: Told[] = [];
  const waiting = new Set<(line: Told) => void>();
  let complaint = '';
  stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  createInterface({input: stdout}).on('line', text => {
    const line: Told = JSON.parse(text);
    told.push(line);
    for (const look of waiting) look(line);
  });
  const next = (type: string) =>
    new Promise<Told>((resolve, reject) => {
      const look = (line: Told) => {
        if (line.type !== type) return;
        waiting.delete(look);
        resolve(line);
      };
      waiting.add(look);
      child.once('close', code => reject(new Error(`The platform exited with code ${code}: ${complaint}`)));
    });
  const started = (await next('ready')) as Told & PlatformReady;
  if (wantsCertificate === 'alert') {
    const {authority} = paths;
    const args = [settings.certificate, settings.key, authority, String(BACKEND_PORT)];
    await ready(network.start('platform', [tool('python3'), front, ...args]), /ready/);
  }
  const become = async (manner: Manner) => {
    const changed = next('changed');
    stdin.write(`${JSON.stringify(manner)}\n`);
    await changed;
  };
  return {...started, told, next, become};
};
