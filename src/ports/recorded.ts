import type {Credentials} from '../domain/credentials.ts';
import type {Ports, Report} from './ports.ts';
import type {Recorder} from './recorder.ts';

/**
 * Returns ports that also record calls, programs, changes of files, and whether a browser was opened. The redactor
 * learns the secrets of the sign-ins and the passwords of the proxies that pass through them, to mask them.
 */
export const recorded = (ports: Ports, recorder: Recorder): Ports => {
  const {record, redactor} = recorder;
  const {http, processes, files, credentials, browser} = ports;
  const learn = <Kept extends Credentials | undefined>(credentials: Kept): Kept => {
    const {clientSecret, createdSecret, accessToken, refreshToken} = credentials ?? {};
    for (const secret of [clientSecret, createdSecret, accessToken, refreshToken]) redactor.learn(secret);
    return credentials;
  };
  const reporting =
    (report: Report): Report =>
    event => {
      const {type, ...details} = event;
      record(type, details);
      report(event);
    };
  return Object.freeze({
    ...ports,
    http: {
      send: (request, context) => http.send(request, {...context, report: reporting(context.report)}),
      open: (request, context) => http.open(request, {...context, report: reporting(context.report)}),
      fetch: context => http.fetch({...context, report: reporting(context.report)}),
    },
    processes: {
      ...processes,
      run: async (command, args, options) => {
        const result = await processes.run(command, args, options);
        record('program-run', {
          command,
          args,
          outcome: result.outcome,
          ...('code' in result ? {code: result.code} : {}),
        });
        return result;
      },
    },
    files: {
      ...files,
      write: async (path, bytes, options) => {
        record('file-write', {path, bytes: bytes.length, mode: options.mode.toString(8)});
        await files.write(path, bytes, options);
      },
      remove: async (path, options) => {
        record('file-remove', {path});
        await files.remove(path, options);
      },
    },
    withRoute: way => {
      for (const password of Object.values(way.passwords)) redactor.learn(password);
      return recorded(ports.withRoute(way), recorder);
    },
    credentials: {
      ...credentials,
      get: async key => learn(await credentials.get(key)),
      getEach: async keys => {
        const found = await credentials.getEach(keys);
        for (const one of found) if (one.status === 'fulfilled') learn(one.value);
        return found;
      },
      replace: (key, next) => credentials.replace(key, learn(next)),
      transaction: (key, work) =>
        credentials.transaction(key, transaction =>
          work({
            ...transaction,
            current: learn(transaction.current),
            read: async () => learn(await transaction.read()),
            write: next => transaction.write(learn(next)),
          }),
        ),
      update: async (key, change) =>
        learn(await credentials.update(key, async current => learn(await change(learn(current))))),
    },
    browser: {
      ...browser,
      open: async url => {
        const opened = await browser.open(url);
        record('browser-open', {opened});
        return opened;
      },
    },
  } satisfies Ports);
};
