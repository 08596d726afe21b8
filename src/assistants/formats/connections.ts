import type {Connection} from '../connection.ts';

/** The names of the parts of an entry in one dialect. */
type Dialect = {
  /** Possible keys of the address. The first that is present is read. */
  readonly url?: readonly string[];
  /**
   * The values of `type` that mean Streamable HTTP; undefined among them means that no `type` is needed. Absent if the
   * client does not read `type`.
   */
  readonly types?: readonly (string | undefined)[];
  /** The path of keys to the headers. */
  readonly headers?: readonly string[];
  /** The key of the command line that prints headers. */
  readonly helper?: string;
  /** The path of keys to the client ID with which the client signs in by itself. */
  readonly oauth?: readonly string[];
  /** The key of the program; its value may be one list that includes the arguments. */
  readonly command?: string;
  /** The values of `type` that mean a program. */
  readonly commandTypes?: readonly (string | undefined)[];
  readonly env?: string;
};

/**
 * Returns a reader for entries of a dialect. The reader returns undefined for a value that the client would take for
 * something else, or ignore.
 */
export const readerOf =
  (dialect: Dialect) =>
  (entry: unknown): Connection | undefined => {
    const fields = recordIn(entry);
    if (!fields) return undefined;
    return remoteIn(fields, dialect) ?? programIn(fields, dialect);
  };

const remoteIn = (fields: Fields, dialect: Dialect): Connection | undefined => {
  const {url: keys = ['url'], types, headers = ['headers'], helper, oauth} = dialect;
  const url = keys.map(key => fields[key]).find(value => value !== undefined);
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  if (types && !types.some(type => type === fields.type)) return undefined;
  const line = helper === undefined ? undefined : fields[helper];
  if (typeof line === 'string') return {kind: 'helper', url, helper: line};
  const clientId = oauth && valueAt(fields, oauth);
  // If the entry has headers, the client sends those.
  if (typeof clientId === 'string' && fields[headers[0] ?? ''] === undefined) return {kind: 'oauth', url, clientId};
  return {kind: 'header', url, headers: textsIn(valueAt(fields, headers))};
};

const valueAt = (fields: Fields, keys: readonly string[]): unknown =>
  keys.reduce<unknown>((at, key) => recordIn(at)?.[key], fields);

const programIn = (fields: Fields, dialect: Dialect): Connection | undefined => {
  const {command: key = 'command', commandTypes, env = 'env'} = dialect;
  if (commandTypes && !commandTypes.some(type => type === fields.type)) return undefined;
  const value = fields[key];
  const [command, ...args] = Array.isArray(value) ? value : [value, ...(Array.isArray(fields.args) ? fields.args : [])];
  if (typeof command !== 'string' || command === '' || !args.every(isText)) return undefined;
  return {kind: 'command', command, args, env: textsIn(fields[env])};
};

type Fields = Readonly<Record<string, unknown>>;

export const recordIn = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

const isText = (value: unknown): value is string => typeof value === 'string';

const textsIn = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(recordIn(value) ?? {}).filter((pair): pair is [string, string] => isText(pair[1])));
