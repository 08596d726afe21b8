import type {Connection} from '../connection.ts';

/** How one dialect calls the parts of an entry. */
type Dialect = {
  /** Keys of the address; the first that is there counts. */
  readonly url?: readonly string[];
  /** The `type` that means Streamable HTTP; undefined among them for “none needed”. Absent: the client reads none. */
  readonly types?: readonly (string | undefined)[];
  /** Keys down to the headers. */
  readonly headers?: readonly string[];
  /** Key of the command line that prints headers. */
  readonly helper?: string;
  /** Keys down to the client ID with which the client signs in by itself. */
  readonly oauth?: readonly string[];
  /** Key of the program; its value may be one list with the arguments. */
  readonly command?: string;
  /** The `type` that means a program. */
  readonly commandTypes?: readonly (string | undefined)[];
  readonly env?: string;
};

/** Reads entries of a dialect back. Undefined for what its client would take for something else, or for nothing. */
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
  // A header that stands there is what is sent.
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
