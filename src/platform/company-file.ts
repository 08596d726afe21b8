import {type ErrorCode, SetupError} from '../errors/errors.ts';
import {hasJwt} from '../text.ts';
import type {BaseDomain} from './addresses.ts';
import {changed, type Platform, type PlatformChanges} from './platform.ts';
import {findPlatform} from './platforms.ts';
import {isNewer} from './recognise.ts';

type CompanyFileCode = Extract<ErrorCode, `input-company-file-${string}`>;

/**
 * A fault of a company file: its place, and the error with which it is refused. `path` and `sentence` may contain text
 * of the file.
 */
export type CompanyFault = {readonly code: CompanyFileCode; readonly path: string; readonly sentence: string};

/** Names that members with a secret usually have. */
const secretName = /secret|passw|token|private_?-?key|api_?-?key|credential/i;

/** Forms of secrets besides a JWT: a PEM key or certificate, a password in an address, tokens with a known prefix. */
const secretTexts = [
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)/,
  /:\/\/[^/\s@:]*:[^/\s@]+@/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA)\w{10}/,
];

const isSecret = (text: string) => hasJwt(text) || secretTexts.some(one => one.test(text));

/** The member for the path of the token endpoint. It has the name of a secret, but holds none. */
const TOKEN_PATH = 'platform.paths.token';

/**
 * Returns the parts of a company file that are secrets, or have the name of one: everybody can read the file. The text
 * itself is not repeated.
 */
export const secretsIn = (value: unknown, path: readonly string[] = []): readonly CompanyFault[] => {
  const at = path.join('.');
  const code = 'input-company-file-secret';
  if (typeof value === 'string') {
    return isSecret(value) ? [{code, path: at, sentence: 'looks like a secret'}] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...path, key];
    const isCalled = !Array.isArray(value) && secretName.test(key) && here.join('.') !== TOKEN_PATH;
    return isCalled
      ? [{code, path: here.join('.'), sentence: 'has the name of a secret'} as const]
      : secretsIn(item, here);
  });
};

/** Largest company file, in bytes. */
export const COMPANY_FILE_SIZE = 64 * 1024;

/** The wizard's suggestions if the person has not said otherwise. */
export type CompanyDefaults = {
  readonly assistants?: readonly string[];
  readonly scope?: 'user' | 'project';
  readonly method?: 'auto' | 'helper' | 'bridge' | 'header' | 'oauth';
  readonly tools?: 'all' | 'build' | 'run' | 'look';
  readonly assistantsAs?: 'you' | 'look' | 'build' | 'run';
  readonly signIn?: 'browser' | 'create-mcp-client' | 'mcp-client' | 'service-account';
};

/** A company's description of its platform. */
export type Company = {
  readonly name: string;
  readonly baseDomain: string;
  readonly contact?: string;
  readonly documentation: readonly {readonly title: string; readonly url: string}[];
  readonly minimumVersion?: string;
  /** The kind of platform with the company's changes. */
  readonly platform: Platform;
  readonly defaults: CompanyDefaults;
};

export type JudgedCompany = {readonly company: Company} | {readonly faults: readonly CompanyFault[]};

/** A company file that was read, and its source: a path or an address. */
export type CompanyFile = {readonly source: string; readonly company: Company};

/** The file in the form of the schema. */
type CompanyJson = Omit<Company, 'platform' | 'documentation' | 'defaults'> & {
  readonly extends: string;
  readonly documentation?: Company['documentation'];
  readonly platform?: Omit<PlatformChanges, 'name' | 'localBaseDomain'>;
  readonly defaults?: CompanyDefaults;
};

/**
 * Judges a company file: its schema, hosts outside its base domain, and secrets. A file for a newer version of this
 * program is not judged further. Equal names of servers are looked for only if there is no other fault.
 *
 * @param version the version of this program
 */
export const judgeCompany = async (json: unknown, version: string): Promise<JudgedCompany> => {
  const tooNew = newerThan(json, version);
  if (tooNew.length > 0) return {faults: tooNew};
  // The library is large, and few runs read a company file.
  const {companySchema} = await import('./company-schema.ts');
  const parsed = companySchema.safeParse(json);
  const wrong = parsed.success ? [] : parsed.error.issues.flatMap(faultsOf);
  const faults = [...secretsIn(json), ...wrong, ...foreignHostsIn(json)];
  if (!parsed.success || faults.length > 0) return {faults};
  const company = companyOf(parsed.data as CompanyJson);
  const same = sameNameIn(company.platform);
  return same ? {faults: [same]} : {company};
};

/**
 * Finds equal names of the two servers: assistants distinguish the servers by name alone, and for some of them
 * everything but letters and digits becomes a dash, or nothing at the end (`nameFor`). One of the names may come from
 * the kind of platform, so both are compared after merging.
 */
const sameNameIn = ({mcpServers: {controlPlane, observability}}: Platform): CompanyFault | undefined => {
  const [one, other] = [controlPlane, observability].map(name =>
    name
      .split(/[^a-z\d]+/)
      .filter(Boolean)
      .join('-'),
  );
  if (one !== other) return undefined;
  const names = controlPlane === observability ? controlPlane : `${controlPlane} and ${observability}`;
  return fieldFault(
    ['platform', 'mcpServers'],
    `gives both servers the same name in assistants (${names}): choose names that differ in letters or digits`,
  );
};

const companyOf = ({extends: kind, platform, documentation = [], defaults = {}, ...rest}: CompanyJson): Company => {
  const {name, baseDomain, contact, minimumVersion} = rest;
  return {
    name,
    baseDomain,
    documentation,
    defaults,
    ...(contact === undefined ? {} : {contact}),
    ...(minimumVersion === undefined ? {} : {minimumVersion}),
    platform: changed(findPlatform(kind), {name, localBaseDomain: baseDomain, ...platform}),
  };
};

/**
 * Refuses a file for another base domain: a file is valid only for the one that it names.
 *
 * @throws SetupError `input-company-file-elsewhere`
 */
export const checkBelongs = ({baseDomain}: Company, {name}: BaseDomain, source: string): void => {
  if (baseDomain === name) return;
  throw new SetupError('input-company-file-elsewhere', `${source} is the file of ${baseDomain}, not of ${name}.`, {
    about: {flag: 'base-domain'},
  });
};

type Issue = {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
};

const faultsOf = ({code, path, message, keys = []}: Issue): readonly CompanyFault[] =>
  code === 'unrecognized_keys'
    ? keys.map(key => fieldFault([...path, key], 'is not known'))
    : [fieldFault(path, message.replace(/^Invalid input: /, 'is not valid: '))];

const fieldFault = (path: readonly PropertyKey[], sentence: string): CompanyFault => ({
  code: 'input-company-file-field',
  path: path.map(String).join('.'),
  sentence,
});

/** Returns the fault of a file that is for a newer program. This version's rules do not apply to such a file. */
const newerThan = (json: unknown, version: string): readonly CompanyFault[] => {
  const {schemaVersion, minimumVersion} = (typeof json === 'object' && json !== null ? json : {}) as {
    readonly schemaVersion?: unknown;
    readonly minimumVersion?: unknown;
  };
  const code = 'input-company-file-version';
  if (typeof schemaVersion === 'number' && schemaVersion > 1) {
    return [{code, path: 'schemaVersion', sentence: `is ${schemaVersion}, but this program supports only 1`}];
  }
  if (typeof minimumVersion !== 'string' || !isNewer(minimumVersion, version)) return [];
  return [{code, path: 'minimumVersion', sentence: `is ${minimumVersion}, but this program is version ${version}`}];
};

/** Members whose address may be on the person's own machine, because the browser returns to it. */
const returns = new Set(['platform.callbackUrl', 'platform.sampleApplication.redirectUri']);

/**
 * Finds addresses outside the base domain: all have to be below it, so that the file cannot lead anybody elsewhere. The
 * exceptions are `$schema`, and addresses on the person's own machine in the members of `returns`.
 */
const foreignHostsIn = (json: unknown): readonly CompanyFault[] => {
  const {baseDomain} = (typeof json === 'object' && json !== null ? json : {}) as {readonly baseDomain?: unknown};
  if (typeof baseDomain !== 'string') return [];
  return textsIn(json).flatMap(({path, text}): readonly CompanyFault[] => {
    // The address of the schema is for editors; this program does not open it.
    if (path === '$schema') return [];
    return addressesIn(text).flatMap(address => {
      const sentence = whyForeign(address, baseDomain, returns.has(path));
      return sentence === undefined ? [] : [{code: 'input-company-file-host', path, sentence} as const];
    });
  });
};

/** Returns the addresses in a text that have a scheme (RFC 3986 3.1). Each ends before a blank, a quote, `<` or `>`. */
const addressesIn = (text: string): readonly string[] => {
  const found: string[] = [];
  let end = 0;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', Math.max(end, at + 1))) {
    let start = at;
    while (start > end && /[a-z0-9+.-]/i.test(text[start - 1] ?? '')) start -= 1;
    // A scheme begins with a letter.
    while (start < at && !/[a-z]/i.test(text[start] ?? '')) start += 1;
    if (start === at) continue;
    const length = text.slice(at).search(/[\s"'<>]/);
    end = length < 0 ? text.length : at + length;
    found.push(text.slice(start, end));
  }
  return found;
};

const whyForeign = (address: string, baseDomain: string, mayBeHere: boolean): string | undefined => {
  if (!URL.canParse(address)) return 'is not an address';
  const {protocol, hostname} = new URL(address);
  if (mayBeHere && ['http:', 'https:'].includes(protocol) && isHere(hostname)) return undefined;
  const isBelow = hostname === baseDomain || hostname.endsWith(`.${baseDomain}`);
  if (!isBelow) return `names ${hostname || address}, which is not below ${baseDomain}`;
  const isLocal = baseDomain === 'localhost' || baseDomain.endsWith('.localhost');
  return protocol === 'https:' || (isLocal && protocol === 'http:') ? undefined : 'is not an https address';
};

const isHere = (hostname: string): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);

type Text = {readonly path: string; readonly text: string};

const textsIn = (value: unknown, path: readonly string[] = []): readonly Text[] => {
  if (typeof value === 'string') return [{path: path.join('.'), text: value}];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key]));
};
