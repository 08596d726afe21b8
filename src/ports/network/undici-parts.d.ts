// undici's package has no `exports`, so its parts can be imported separately; only the whole package has types. The
// omitted parts (caches, mocks, WebSockets and most of fetch) are a third of its bytes.
declare module 'undici/lib/dispatcher/agent.js' {
  export {Agent as default} from 'undici';
}
declare module 'undici/lib/dispatcher/client.js' {
  export {Client as default} from 'undici';
}
declare module 'undici/lib/dispatcher/pool.js' {
  export {Pool as default} from 'undici';
}
declare module 'undici/lib/web/fetch/headers.js' {
  const Own: typeof Headers;

  export {Own as Headers};
}
declare module 'undici/lib/web/fetch/response.js' {
  const Own: typeof Response;

  export {Own as Response};
}
