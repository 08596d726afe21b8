// undici's package has no `exports`, so its parts can be imported one by one; only the whole has types. What is left out
// this way (fetch, caches, mocks, WebSockets) is a third of its bytes.
declare module 'undici/lib/dispatcher/agent.js' {
  export {Agent as default} from 'undici';
}
declare module 'undici/lib/dispatcher/client.js' {
  export {Client as default} from 'undici';
}
declare module 'undici/lib/dispatcher/pool.js' {
  export {Pool as default} from 'undici';
}
