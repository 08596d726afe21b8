/** The part of undici that this program uses, by its own file: the whole of it takes twice as long to load. */
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import {EnvHttpProxyAgent} from 'undici';
  export default EnvHttpProxyAgent;
}

declare module 'undici/lib/web/fetch/constants.js' {
  const constants: {readonly badPortsSet: ReadonlySet<string>};
  export default constants;
}
