// undici's package has no `exports`, so its parts can be imported one by one; only the whole has types. What is left out
// this way (fetch, caches, mocks, WebSockets) is a third of its bytes.
declare module 'undici/lib/dispatcher/agent.js' {
  import {Agent} from 'undici';

  export default Agent;
}
declare module 'undici/lib/dispatcher/client.js' {
  import {Client} from 'undici';

  export default Client;
}
declare module 'undici/lib/dispatcher/pool.js' {
  import {Pool} from 'undici';

  export default Pool;
}
declare module 'undici/lib/api/api-request.js' {
  import type {Dispatcher} from 'undici';

  /** Sends a request; the answer's body is to be read or destroyed. */
  export default function request(
    this: Dispatcher,
    options: Dispatcher.RequestOptions,
  ): Promise<Dispatcher.ResponseData>;
}
declare module 'undici/lib/api/api-connect.js' {
  import type {Dispatcher} from 'undici';

  /** Asks for a tunnel; whatever the status of the answer, the connection comes with it. */
  export default function connect(
    this: Dispatcher,
    options: {readonly path: string; readonly headers: Readonly<Record<string, string>>},
  ): Promise<Dispatcher.ConnectData>;
}
declare module 'undici/lib/util/timers.js' {
  /** Forgets every timer that was set by undici. */
  export const reset: () => void;
}
