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
