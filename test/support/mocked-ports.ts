import {MockAgent} from 'undici';
import {onTestFinished} from 'vitest';
import type {Ports} from '../../src/ports/ports.ts';
import {portsIn, temporaryDirectory} from './place.ts';

/** An answer: its status, body and headers. */
export type Answer = {readonly status?: number; readonly body?: string; readonly headers?: Record<string, string>};

export const jsonAnswer = (body: unknown, status = 200): Answer => ({
  ...{status, body: JSON.stringify(body), headers: {'content-type': 'application/json'}},
});

export const textAnswer = (body: string, status = 200, type = 'text/plain'): Answer => ({
  ...{status, body, headers: {'content-type': type}},
});

/**
 * The real ports down to undici, with answers that a test sets up. Any other call fails, and so does a test that ends
 * with an unused answer.
 */
export const mockedPorts = async (): Promise<{
  readonly ports: Ports;
  /**
   * Answers every call of this method to an address, or to every path if the address has none. Adds the token of each
   * call to `seen`.
   */
  readonly answer: (url: string, answer: Answer, seen?: (string | null)[], method?: 'GET' | 'POST') => void;
}> => {
  const agent = new MockAgent();
  agent.disableNetConnect();
  onTestFinished(async () => {
    agent.assertNoPendingInterceptors();
    await agent.close();
  });
  return {
    ports: portsIn(await temporaryDirectory(), {}, [], agent),
    answer: (url, {status = 200, body = '', headers = {}}, seen = [], method = 'GET') => {
      const {origin, pathname} = new URL(url);
      agent
        .get(origin)
        .intercept({method, path: path => pathname === '/' || path === pathname})
        .reply(asked => {
          seen.push(new Headers(asked.headers as Record<string, string>).get('authorization'));
          return {statusCode: status, data: body, responseOptions: {headers}};
        })
        .persist();
    },
  };
};
