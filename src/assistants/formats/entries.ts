import type {CommandEntry, HeaderEntry} from '../assistant.ts';

/** The headers of an entry that sends a token. */
export const headersOf = ({authorization}: Pick<HeaderEntry, 'authorization'>) => ({Authorization: authorization});

/** A program as most clients write it. */
export const program = ({command, args, env}: CommandEntry): object => ({command, args, ...environment('env', env)});

/** Variables for a program, where there are any. */
export const environment = (key: string, env: CommandEntry['env'] = {}): object =>
  Object.keys(env).length > 0 ? {[key]: env} : {};

/** An address with headers as most clients write it. */
export const remote = (entry: HeaderEntry) => ({url: entry.url, headers: headersOf(entry)});

/** The same for clients that take an address without a type for something else. */
export const remoteHttp = (entry: HeaderEntry) => ({type: 'http', ...remote(entry)});
