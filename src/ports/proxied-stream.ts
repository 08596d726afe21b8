import {openCall} from './answer-body.ts';
import type {Env} from './ports.ts';
import type {OpenStream} from './streams.ts';
import {createDispatchers} from './undici-transport.ts';

/** Streams through the environment's proxies, by the dispatchers that every other call has. */
export const createProxied = (env: Env): OpenStream => {
  const dispatcherFor = createDispatchers(env);
  return (request, signal) =>
    openCall(request, signal, ({queue, answer, data, end, fail}) => {
      const {method, url, headers, body = null, headersTimeout = 0} = request;
      const {origin, pathname, search} = url;
      let controller: {pause(): void; resume(): void; abort(reason: Error): void} | undefined;
      const path = `${pathname}${search}`;
      dispatcherFor(url).dispatch(
        {origin, path, method, headers, body, headersTimeout, bodyTimeout: 0},
        {
          onRequestStart: started => {
            controller = started;
            if (queue.ended) started.abort(new Error('It was stopped before it began.'));
          },
          onResponseStart: (_, status, answered) => {
            if (status >= 200) answer(status, name => [answered[name]].flat()[0]);
          },
          onResponseData: (_, chunk) => data(chunk),
          onResponseEnd: end,
          onResponseError: (_, error) => fail(error),
        },
      );
      return {
        pause: () => controller?.pause(),
        resume: () => controller?.resume(),
        abort: reason => controller?.abort(reason),
      };
    });
};
