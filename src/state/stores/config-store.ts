import type {Config} from '../../domain/config.ts';
import type {Context} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {ConfigStore, Files} from '../../ports/storage.ts';
import {formatJson, invalid, isObject, type JsonObject, readJsonFile} from './json-file.ts';

/**
 * The contexts, in a JSON file without secrets. It is read as it is found, and written whole under the lock, after
 * reading it again, so that two setups at once lose nothing of each other.
 */
export const createConfigStore = (files: Files, path: string): ConfigStore => {
  const read = async (): Promise<Config> => {
    const json = await readJsonFile(files, path);
    return json ? parseConfig(json, path) : {version: 1, contexts: []};
  };

  const change = (next: (config: Config) => Config): Promise<void> =>
    files.withLock(path, async () => {
      const config = next(await read());
      await files.write(path, formatJson(config), {mode: 0o600, tighten: true, journal: true});
    });

  return {
    path,
    read,
    saveContext: context =>
      change(({contexts}) => {
        const others = contexts.filter(({name}) => name !== context.name);
        return {version: 1, currentContext: context.name, contexts: [...others, context]};
      }),
    saveEntries: (name, next) =>
      change(config => ({
        ...config,
        contexts: config.contexts.map(context =>
          context.name === name ? {...context, entries: next(context.entries ?? [])} : context,
        ),
      })),
    saveCli: (name, cli) =>
      change(config => ({
        ...config,
        contexts: config.contexts.map(context => {
          const {cli: _, ...rest} = context;
          return context.name === name ? {...rest, ...(cli ? {cli} : {})} : context;
        }),
      })),
    useContext: name => change(config => ({...config, currentContext: named(name, config).name})),
    removeContext: name =>
      change(config => {
        const {name: removed} = named(name, config);
        const contexts = config.contexts.filter(one => one.name !== removed);
        const current = config.currentContext === removed ? contexts[0]?.name : config.currentContext;
        return {version: 1, contexts, ...(current === undefined ? {} : {currentContext: current})};
      }),
  };
};

const named = (name: string, {contexts}: Config): Context => {
  const context = contexts.find(one => one.name === name);
  if (context) return context;
  const known = contexts.map(one => one.name).join(', ') || 'none';
  throw new SetupError('input-invalid', `There is no context called ${name}. Known: ${known}.`);
};

const parseConfig = (json: JsonObject, path: string): Config => {
  if (json.version !== 1) throw invalid(path, `its version is ${String(json.version)}, and this program knows 1`);
  if (!Array.isArray(json.contexts)) throw invalid(path, '"contexts" is not a list');
  const contexts = json.contexts.map((value, index) => parseContext(value, index, path));
  const current = json.currentContext;
  return {version: 1, contexts, ...(typeof current === 'string' ? {currentContext: current} : {})};
};

const texts = [
  'name',
  'platform',
  'baseDomain',
  'layout',
  'controlPlaneUrl',
  'authUrl',
  'issuer',
  'signIn',
  'clientId',
] as const;

const isEntry = (value: unknown): boolean =>
  isObject(value) &&
  ['assistant', 'scope', 'project', 'method', 'path'].every(key => typeof value[key] === 'string') &&
  Array.isArray(value.names);

const isCli = (value: unknown): boolean =>
  isObject(value) &&
  ['path', 'name'].every(key => typeof value[key] === 'string' && value[key] !== '') &&
  Array.isArray(value.added) &&
  value.added.every(list => ['controlplanes', 'credentials', 'contexts'].includes(String(list)));
/** Servers and their resources (RFC 8707 2: absolute URIs). */
const areResources = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).every(
    ([server, resource]) => server === 'observability' && typeof resource === 'string' && URL.canParse(resource),
  );

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const isNetwork = (value: unknown): boolean => {
  if (!isObject(value)) return false;
  const {proxy, authority, clientCertificate} = value;
  const areProxies = isObject(proxy) && Object.values(proxy).every(isText);
  return (
    (proxy === undefined || proxy === 'none' || proxy === 'environment' || areProxies) &&
    (authority === undefined || (isObject(authority) && (isText(authority.file) || isText(authority.pem)))) &&
    (clientCertificate === undefined ||
      (isObject(clientCertificate) && isText(clientCertificate.certificate) && isText(clientCertificate.key)))
  );
};

const parseContext = (value: unknown, index: number, path: string): Context => {
  const where = `contexts[${index}]`;
  if (!isObject(value)) throw invalid(path, `${where} is not an object`);
  for (const key of texts) {
    if (typeof value[key] !== 'string' || value[key] === '') throw invalid(path, `${where}.${key} is missing`);
  }
  for (const key of ['controlPlaneUrl', 'observerUrl', 'authUrl', 'issuer']) {
    const url = value[key];
    if (url !== undefined && (typeof url !== 'string' || !URL.canParse(url))) {
      throw invalid(path, `${where}.${key} is not a URL`);
    }
  }
  if (!['single', 'multi', 'unknown'].includes(String(value.layout)))
    throw invalid(path, `${where}.layout is not known`);
  if (!['browser', 'service-account', 'mcp-client'].includes(String(value.signIn))) {
    throw invalid(path, `${where}.signIn is not known`);
  }
  if (Array.isArray(value.entries) && !value.entries.every(isEntry))
    throw invalid(path, `${where}.entries is not known`);
  for (const key of ['scopes', 'entries']) {
    if (value[key] !== undefined && !Array.isArray(value[key])) throw invalid(path, `${where}.${key} is not a list`);
  }
  if (value.cli !== undefined && !isCli(value.cli)) throw invalid(path, `${where}.cli is not known`);
  if (value.resources !== undefined && !areResources(value.resources))
    throw invalid(path, `${where}.resources is not known`);
  if (value.network !== undefined && !isNetwork(value.network)) throw invalid(path, `${where}.network is not known`);
  // Every field of the type was looked at above.
  return value as Context;
};
