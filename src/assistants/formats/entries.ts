import type {CommandEntry, HeaderEntry} from '../assistant.ts';

/** Returns the headers of an entry that sends a token. */
export const headersOf = ({authorization}: Pick<HeaderEntry, 'authorization'>) => ({Authorization: authorization});

/** Returns a program in the form that most clients use. */
export const program = ({command, args, env}: CommandEntry): object => ({command, args, ...environment('env', env)});

/** Returns the variables of a program under `key`; empty if there are none. */
export const environment = (key: string, env: CommandEntry['env'] = {}): object =>
  Object.keys(env).length > 0 ? {[key]: env} : {};

/** Returns an address with headers in the form that most clients use. */
export const remote = (entry: HeaderEntry) => ({url: entry.url, headers: headersOf(entry)});

/** The same, for clients that take an address without a type for something else. */
export const remoteHttp = (entry: HeaderEntry) => ({type: 'http', ...remote(entry)});
