import type {NetworkSettings, ProxyPasswords} from '../../../../src/domain/context.ts';
import {createHttp, createStreams} from '../../../../src/ports/network/http.ts';
import type {CallEvent, Env, HttpRequest} from '../../../../src/ports/ports.ts';
import {routeBy} from '../../../support/route.ts';

type Given = {
  readonly env?: Env;
  readonly settings?: NetworkSettings;
  readonly passwords?: ProxyPasswords;
  readonly now?: () => number;
  readonly signal?: AbortSignal;
};

/** Returns the network as the program has it, and the events of its calls. Plain http is allowed to acme.example. */
export const client = ({env = {}, settings = {}, passwords = {}, now = Date.now, signal}: Given = {}) => {
  const events: CallEvent[] = [];
  const route = routeBy(settings, passwords);
  const policy = {allowHttp: ['api.acme.example', 'no-such-host.invalid']};
  const streams = createStreams(env, policy, route, {now});
  const http = createHttp(streams, policy, () => 0);
  const context = {
    signal: signal ?? new AbortController().signal,
    report: (event: CallEvent) => void events.push(event),
  };
  const send = (url: string, options: Partial<HttpRequest> = {}) =>
    http.send({method: 'GET', url: new URL(url), ...options}, context);
  return {events, route, streams, http, context, send};
};
