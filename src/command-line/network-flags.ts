import {X509Certificate} from 'node:crypto';
import {resolve} from 'node:path';
import type {Context, NetworkSettings} from '../domain/context.ts';
import {SetupError} from '../errors/errors.ts';
import {type KnownNetwork, portsWith} from '../flows/deployment/context-network.ts';
import {limits, readRegularSync, whyUnread} from '../ports/files/regular-file.ts';
import {proxiesToSave, proxyToSave} from '../ports/network/proxies.ts';
import type {Env, Ports} from '../ports/ports.ts';
import type {Invocation} from './command.ts';
import type {FlagName, FlagValues} from './flags.ts';

/**
 * Returns the ports with the network settings of the flags, else those saved with the context, else those of the
 * environment.
 *
 * @throws SetupError `input-invalid`, or `input-required` if a flag lacks its counterpart; both name the flag
 */
export const portsTo = async (
  context: Context | undefined,
  {flags, env}: Pick<Invocation, 'flags' | 'env'>,
  ports: Ports,
): Promise<Ports> => {
  // A saved deployment keeps its settings. If it lacks one, each call uses the environment's, which is not saved.
  const base = context ? {settings: context.network ?? {}, passwords: {}} : environmentOf(env);
  const fromFlags = saidIn(flags, env);
  const settings = {...base.settings, ...fromFlags.settings};
  return portsWith({settings, passwords: {...base.passwords, ...fromFlags.passwords}}, ports, passwordsIn(env));
};

/** Whether flags change how the network is reached. */
export const saysNetwork = (flags: FlagValues): boolean =>
  [flags.proxy, flags['ca-file'], flags['client-cert'], flags['client-key']].some(one => one !== undefined);

/**
 * Returns the environment's settings in a form that can be saved, with absolute paths. A setting that cannot be used is
 * reported by the call that needs it.
 */
const environmentOf = (env: Env): KnownNetwork => {
  const named = [env.NODE_EXTRA_CA_CERTS, env.SSL_CERT_FILE].flatMap(file => (file ? [resolve(file)] : []));
  // These variables are for other programs too, and their files may no longer exist.
  const files = [...new Set(named.filter(one => holdsCertificate(one)))];
  const [file] = files;
  const pem = () => files.map(one => bytesOf(one).toString('utf8')).join('\n');
  const authority = file === undefined ? {} : {authority: files.length > 1 ? {pem: pem()} : {file}};
  const proxies = proxiesOf(env);
  return {
    settings: {...(proxies ? {proxy: proxies.proxies} : {}), ...authority},
    passwords: proxies?.passwords ?? {},
  };
};

const proxiesOf = (env: Env) => {
  const without = (name: string) =>
    Object.fromEntries(Object.entries(env).filter(([known]) => known.toLowerCase() !== name));
  // If the proxy for one scheme is unusable, the other proxy must still be used.
  for (const usable of [env, without('https_proxy'), without('http_proxy')]) {
    try {
      return proxiesToSave(usable);
    } catch {}
  }
  return undefined;
};

/**
 * Returns the passwords of the environment's proxies: a saved proxy may be one of these, and its password is not saved.
 */
const passwordsIn = (env: Env) => proxiesOf(env)?.passwords ?? {};

const saidIn = (flags: FlagValues, env: Env): KnownNetwork => {
  const {proxy, 'ca-file': authority} = flags;
  const word = (['none', 'environment'] as const).find(one => one === proxy?.toLowerCase());
  const fromFlag = proxy === undefined || word ? undefined : proxyToSave(proxy, '--proxy', env);
  const settings: NetworkSettings = {
    ...(word ? {proxy: word} : {}),
    ...(fromFlag ? {proxy: fromFlag.proxies} : {}),
    ...(authority === undefined ? {} : {authority: {file: certificateFile(authority, 'ca-file')}}),
    ...clientCertificateIn(flags),
  };
  return {settings, passwords: fromFlag?.passwords ?? {}};
};

const clientCertificateIn = (flags: FlagValues): Pick<NetworkSettings, 'clientCertificate'> => {
  const {'client-cert': certificate, 'client-key': key} = flags;
  if (certificate === undefined && key === undefined) return {};
  if (certificate === undefined || key === undefined) {
    const missing = certificate === undefined ? 'client-cert' : 'client-key';
    throw new SetupError('input-required', `--${missing} is missing: --client-cert and --client-key belong together.`, {
      about: {flag: missing},
    });
  }
  return {
    clientCertificate: {
      certificate: certificateFile(certificate, 'client-cert'),
      key: keyFile(key, 'client-key'),
    },
  };
};

/** Returns the absolute path of a file with a certificate. @throws SetupError `input-invalid` */
const certificateFile = (file: string, flag: FlagName): string => {
  const path = resolve(file);
  read(path, flag);
  if (holdsCertificate(path)) return path;
  throw new SetupError('input-invalid', `--${flag}: ${path} contains no certificate.`, {about: {path, flag}});
};

const keyFile = (file: string, flag: FlagName): string => {
  const path = resolve(file);
  if (read(path, flag).includes('PRIVATE KEY-----')) return path;
  throw new SetupError('input-invalid', `--${flag}: ${path} contains no PEM private key.`, {about: {path, flag}});
};

const read = (path: string, flag: FlagName): Buffer => {
  try {
    return bytesOf(path);
  } catch (cause) {
    throw new SetupError('input-invalid', `--${flag}: ${path} cannot be read: ${whyUnread(cause)}.`, {
      cause,
      about: {path, flag},
      remedy: 'Check that the path is right, then run the command again.',
    });
  }
};

const bytesOf = (path: string): Buffer => readRegularSync(path, limits.given).bytes;

/** Whether a file contains a certificate: anywhere in it as PEM, or as DER, as Windows writes it. */
const holdsCertificate = (path: string): boolean => {
  try {
    return new X509Certificate(bytesOf(path)).raw.length > 0;
  } catch {
    return false;
  }
};
