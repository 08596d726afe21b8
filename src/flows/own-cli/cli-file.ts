import {isMap, isScalar, parse, parseDocument, stringify} from 'yaml';
import {HIDDEN, mask} from '../../assistants/editors/mask.ts';
import {isParsable, refuseExcess} from '../../assistants/editors/parse-limits.ts';
import {
  applyEdits,
  beginsLine,
  eolOf,
  isBlank,
  lineStart,
  refuse,
  splitMark,
} from '../../assistants/editors/text-edits.ts';
import {yamlEditor} from '../../assistants/editors/yaml-editor.ts';
import {yamlContents, yamlDepth} from '../../assistants/editors/yaml-tree.ts';
import {type TokenSpan, tokenIn} from '../../domain/token-spans.ts';
import {withoutPrototypes} from '../../json.ts';

/** Something in one of the lists of the CLI's file, as it stands there: by name, with whatever else it has. */
export type Named = Readonly<Record<string, unknown>>;

/** What the platform's own CLI keeps: control planes, credentials, and contexts that name one of each. */
export type CliValues = {
  readonly currentContext?: string;
  readonly controlplanes: readonly Named[];
  readonly credentials: readonly Named[];
  readonly contexts: readonly Named[];
};

/** A context with what it names, as far as that is there. */
export type CliContext = {readonly context: Named; readonly credentials?: Named; readonly url?: string};

export const contextIn = (values: CliValues, name: string | undefined): CliContext | undefined => {
  const context = byName(values.contexts, name);
  if (!context) return undefined;
  const credentials = byName(values.credentials, context.credentials);
  const url = byName(values.controlplanes, context.controlplane)?.url;
  return {context, ...(credentials ? {credentials} : {}), ...(typeof url === 'string' ? {url} : {})};
};

export const byName = (list: readonly Named[], wanted: unknown): Named | undefined =>
  wanted === undefined ? undefined : list.find(({name}) => name === wanted);

/** What is a text there and not empty. */
export const textIn = (named: Named | undefined, key: string): string | undefined => {
  const value = named?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Whether two addresses are the same server's. */
export const isSameServer = (one: string, other: string): boolean => originOf(one) === originOf(other);

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** The lists in a text, empty where it has none. Undefined for a text that is not YAML, or too large to be parsed. */
export const readCliValues = (text: string): CliValues | undefined => {
  if (!isParsable(text, 'YAML')) return undefined;
  try {
    const root = withoutPrototypes(parse(text));
    const values = isNamed(root) ? root : {};
    const {currentContext} = values;
    return {
      ...(typeof currentContext === 'string' && currentContext !== '' ? {currentContext} : {}),
      controlplanes: listIn(values.controlplanes),
      credentials: listIn(values.credentials),
      contexts: listIn(values.contexts),
    };
  } catch {
    return undefined;
  }
};

const listIn = (value: unknown): readonly Named[] => (Array.isArray(value) ? value.filter(isNamed) : []);

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The lists of the file, each of items with names. */
export const lists = ['controlplanes', 'credentials', 'contexts'] as const;
export type List = (typeof lists)[number];

/** What the file is to hold of a deployment. One name is the context's, the control plane's and the credentials'. */
export type CliEntry = {
  readonly name: string;
  /** Of the control plane, without a slash at the end: the first releases of the CLI cannot read one. */
  readonly url: string;
  readonly credentials: CliCredentials;
  /** What a context begins with; one that is there keeps its own. */
  readonly fields: Readonly<Record<string, string>>;
};

export type CliCredentials = {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scope?: string;
  readonly token: string;
  readonly refreshToken?: string;
  readonly authMethod: 'authorization_code' | 'client_credentials';
};

/** As the CLI itself lays its file out: written again by it, a file that this program made has the same bytes. */
const editors = Object.fromEntries(
  lists.map(key => [key, yamlEditor({key, kind: 'list', head: '', layout: {indent: 4, quotes: false, isOwned: true}})]),
) as Readonly<Record<List, ReturnType<typeof yamlEditor>>>;

/**
 * The text of the file with a deployment entered and made the current one. Everything else stays to the byte: other
 * contexts, comments, unknown keys.
 *
 * @throws SetupError `local-file-invalid` for a file that cannot be edited safely
 */
export const withEntry = (text: string, {name, url, credentials, fields}: CliEntry, path: string): string => {
  const body = isBlank(text) ? `currentContext:\n${lists.map(key => `${key}:\n`).join('')}` : text;
  const values = valuesIn(body, path);
  const names = {controlplane: name, credentials: name};
  const items: Readonly<Record<List, Named>> = {
    controlplanes: {...byName(values.controlplanes, name), url},
    credentials: mergedCredentials(byName(values.credentials, name), credentials),
    contexts: Object.assign({...names}, fields, byName(values.contexts, name), names),
  };
  const entered = lists.reduce((edited, key) => editors[key].set(edited, {[name]: unnamed(items[key])}, path), body);
  return withCurrent(entered, name, path);
};

/** The same without the secrets of these credentials, as the CLI's own sign-out leaves them, and without the client's. */
export const withoutSecrets = (text: string, name: string, path: string): string => {
  const found = byName(valuesIn(text, path).credentials, name);
  if (!found) return text;
  const {token: _, refreshToken: __, clientSecret: ___, ...rest} = found;
  return editors.credentials.set(text, {[name]: unnamed(rest)}, path);
};

/** The same without the items of this name in these lists, and with another context as the current one if it was that. */
export const withoutEntry = (
  text: string,
  {name, from, previous}: {name: string; from: readonly List[]; previous?: string},
  path: string,
): string => {
  const removed = from.reduce((edited, key) => editors[key].remove(edited, [name], path), text);
  const values = valuesIn(removed, path);
  if (values.currentContext !== name || byName(values.contexts, name)) return removed;
  const next = byName(values.contexts, previous) ?? values.contexts[0];
  return withCurrent(removed, textIn(next, 'name') ?? '', path);
};

/** Whether what stands under the name leads to another server, so that it is somebody else's. */
export const isForeign = (values: CliValues, name: string, url: string): boolean => {
  const leads = [contextIn(values, name)?.url, textIn(byName(values.controlplanes, name), 'url')];
  // Credentials of the name may be used by a context of another name.
  const users = values.contexts
    .filter(one => one.credentials === name)
    .map(one => contextIn(values, textIn(one, 'name')));
  return [...leads, ...users.map(one => one?.url)].some(other => other !== undefined && !isSameServer(other, url));
};

/** Where the secrets in the credentials of a name stand, in bytes. */
export const secretSpansIn = (text: string, name: string): readonly TokenSpan[] => {
  const found = byName(valuesIn(text, '').credentials, name);
  return editors.credentials.textsOf(text, name).flatMap(({path: [key], start, end}) => {
    const secret = secrets.includes(String(key)) ? textIn(found, String(key)) : undefined;
    if (!secret) return [];
    const literal = text.slice(start, end);
    const span = tokenIn(literal, secret);
    const first = Buffer.byteLength(text.slice(0, start + span.start));
    return [{start: first, end: first + Buffer.byteLength(literal.slice(span.start, span.end))}];
  });
};

const secrets = ['token', 'refreshToken', 'clientSecret'];

/** The text for showing: what is known to be harmless is seen, and everything else is hidden. */
export const maskCli = (text: string): string =>
  mask(
    text,
    body => (isParsable(body, 'YAML') ? yamlContents(body) : undefined),
    path => {
      const key = path.at(-1);
      return typeof key === 'string' && (harmless.has(key) || key === '') ? undefined : HIDDEN;
    },
  );

const harmless: ReadonlySet<string> = new Set([
  ...['currentContext', 'name', 'url', 'controlplane', 'credentials', 'clientId', 'scope', 'authMethod'],
  ...['namespace', 'project', 'component', 'resource', 'environment', 'dataPlane'],
]);

/** @throws SetupError `local-file-invalid` */
export const valuesIn = (text: string, path: string): CliValues => {
  refuseExcess(text, 'YAML', yamlDepth, path);
  const values = readCliValues(splitMark(text)[1]);
  if (values) return values;
  throw refuse(path, 'is not valid YAML', text, 0);
};

/** What the CLI does not know stays; a scope belongs to the client that it was asked for. */
const mergedCredentials = (found: Named | undefined, {clientId, ...ours}: CliCredentials): Named => {
  const {
    name: _,
    clientId: known,
    clientSecret: __,
    scope,
    token: ___,
    refreshToken: ____,
    authMethod: _____,
    ...rest
  } = found ?? {};
  const {clientSecret, token, refreshToken, authMethod} = ours;
  const kept = ours.scope ?? (known === clientId ? scope : undefined);
  const all = {clientId, clientSecret, scope: kept, token, refreshToken, authMethod};
  return {...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)), ...rest};
};

const unnamed = ({name: _, ...rest}: Named): object => rest;

const KEY = 'currentContext';

const withCurrent = (text: string, name: string, path: string): string => {
  const [mark, body] = splitMark(text);
  const root = parseDocument(body).contents;
  if (!isMap(root)) throw refuse(path, 'cannot be changed: its root is not a map', text, 0);
  const scalar = root.flow || name === '' ? JSON.stringify(name) : stringify(name, {lineWidth: 0}).trimEnd();
  const pair = root.items.find(({key}) => isScalar(key) && key.value === KEY);
  if (!pair) {
    const start = root.range?.[0] ?? 0;
    const put = root.flow ? `${KEY}: ${scalar}${root.items.length > 0 ? ', ' : ''}` : `${KEY}: ${scalar}${eolOf(body)}`;
    const at = root.flow ? start + 1 : lineStart(body, start);
    if (!root.flow && !beginsLine(body, start)) throw refuse(path, 'cannot be changed safely', text, start);
    return mark + applyEdits(body, [{start: at, end: at, put}]);
  }
  const {key, value} = pair;
  if (isScalar(value) && value.value === name) return text;
  const keyEnd = (isScalar(key) && key.range?.[1]) || 0;
  if (!isScalar(value) || !value.range) throw refuse(path, `cannot be changed: “${KEY}” is not a text`, text, keyEnd);
  const [start, end] = value.range;
  const colon = body.indexOf(':', keyEnd) + 1;
  // Where nothing stands behind the key, not even a space does.
  if (start === end) return mark + applyEdits(body, [{start: colon, end: colon, put: ` ${scalar}`}]);
  return mark + applyEdits(body, [{start, end, put: scalar}]);
};
