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

/** An item in one of the lists of the CLI's file, as the file has it: its name, and whatever else it has. */
export type Named = Readonly<Record<string, unknown>>;

/** The contents of the CLI's file: control planes, credentials, and contexts that name one of each. */
export type CliValues = {
  readonly currentContext?: string;
  readonly controlplanes: readonly Named[];
  readonly credentials: readonly Named[];
  readonly contexts: readonly Named[];
};

/** A context with the credentials and the address that it names, if they exist. */
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

/** Returns the text at a key, if there is one that is not empty. */
export const textIn = (named: Named | undefined, key: string): string | undefined => {
  const value = named?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/** Whether two addresses belong to the same server. */
export const isSameServer = (one: string, other: string): boolean => originOf(one) === originOf(other);

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);

/** Reads the lists in a text; a missing list is empty. Undefined if the text is not YAML, or too large to be parsed. */
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

/** The lists of the file, whose items have names. */
export const lists = ['controlplanes', 'credentials', 'contexts'] as const;
export type List = (typeof lists)[number];

/** The entry of a deployment in the file. The context, the control plane and the credentials have the same name. */
export type CliEntry = {
  readonly name: string;
  /** The address of the control plane, without a slash at the end, which the first releases of the CLI cannot read. */
  readonly url: string;
  readonly credentials: CliCredentials;
  /** The fields of a new context; an existing context keeps its own. */
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

/**
 * The editors use the layout of the CLI itself: a file that this program made has the same bytes after the CLI writes
 * it.
 */
const editors = Object.fromEntries(
  lists.map(key => [key, yamlEditor({key, kind: 'list', head: '', layout: {indent: 4, quotes: false, isOwned: true}})]),
) as Readonly<Record<List, ReturnType<typeof yamlEditor>>>;

/**
 * Returns the text of the file with a deployment entered and made the current one. Everything else stays to the byte:
 * other contexts, comments, unknown keys.
 *
 * @throws SetupError `local-file-invalid` if the file cannot be edited safely
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

/**
 * Returns the text without the secrets of these credentials, as the CLI's own sign-out leaves them, and without the
 * client's secret.
 */
export const withoutSecrets = (text: string, name: string, path: string): string => {
  const found = byName(valuesIn(text, path).credentials, name);
  if (!found) return text;
  const {token: _, refreshToken: __, clientSecret: ___, ...rest} = found;
  return editors.credentials.set(text, {[name]: unnamed(rest)}, path);
};

/**
 * Returns the text without the items of this name in these lists. If the context of this name was the current one,
 * another one becomes current.
 */
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

/** Whether the items of this name lead to another server, so that they are not this program's. */
export const isForeign = (values: CliValues, name: string, url: string): boolean => {
  const leads = [contextIn(values, name)?.url, textIn(byName(values.controlplanes, name), 'url')];
  // A context of another name may use the credentials of this name.
  const users = values.contexts
    .filter(one => one.credentials === name)
    .map(one => contextIn(values, textIn(one, 'name')));
  return [...leads, ...users.map(one => one?.url)].some(other => other !== undefined && !isSameServer(other, url));
};

/** Returns the positions, in bytes, of the secrets in the credentials that have this name. */
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

/** Returns the text for showing: values that are known to be harmless are visible, and everything else is hidden. */
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

/** Reads the contents of the CLI's file from its text. @throws SetupError `local-file-invalid` */
export const valuesIn = (text: string, path: string): CliValues => {
  refuseExcess(text, 'YAML', yamlDepth, path);
  const values = readCliValues(splitMark(text)[1]);
  if (values) return values;
  throw refuse(path, 'is not valid YAML', text, 0);
};

/**
 * Merges credentials. Keys that the CLI does not know stay; a scope stays only with the client that it was requested
 * for.
 */
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
  const granted = ours.scope ?? (known === clientId ? scope : undefined);
  const all = {clientId, clientSecret, scope: granted, token, refreshToken, authMethod};
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
  // If the key has no value, there is not even a space after it.
  if (start === end) return mark + applyEdits(body, [{start: colon, end: colon, put: ` ${scalar}`}]);
  return mark + applyEdits(body, [{start, end, put: scalar}]);
};
