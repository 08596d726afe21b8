/** The parts of undici that this program uses, by their own files: the whole of it takes half as long again to load. */
declare module 'undici/lib/dispatcher/agent.js' {
  import {Agent} from 'undici';
  export default Agent;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import {EnvHttpProxyAgent} from 'undici';
  export default EnvHttpProxyAgent;
}

declare module 'undici/lib/web/fetch/index.js' {
  import type {fetch} from 'undici';

  const parts: {readonly fetch: typeof fetch};
  export default parts;
}
