import type {Env} from './ports.ts';

/** The proxies that the environment names, in either spelling; lower case first, as curl has it. */
export const proxiesIn = (env: Env) => ({
  httpProxy: env.http_proxy ?? env.HTTP_PROXY,
  httpsProxy: env.https_proxy ?? env.HTTPS_PROXY,
});
