import type {ErrorCode} from '../../../src/errors/errors.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {answers, page} from '../support/answers.ts';
import type {Fault} from '../support/fault.ts';
import type {Place} from '../support/places.ts';

const text = (status: number, headers = {}) =>
  answers(status, `${status} as plain text`, {'Content-Type': 'text/plain', ...headers});

/** Answers that are not a success, with the code that each has in every place. */
const refusals: readonly (readonly [name: string, answers: Wrap, ErrorCode])[] = [
  ['400', text(400), 'platform-rejected'],
  ['404', text(404), 'platform-no-such-endpoint'],
  ['405', text(405), 'platform-no-such-endpoint'],
  ['409', text(409), 'platform-rejected'],
  ['410', text(410), 'platform-no-such-endpoint'],
  ['418', text(418), 'platform-rejected'],
  ['429 and nothing else', text(429), 'platform-busy'],
  ['429 for an absurd time', text(429, {'Retry-After': '99999999999999999999'}), 'platform-busy'],
  ['429 until a date', text(429, {'Retry-After': new Date(Date.now() + 3_600_000).toUTCString()}), 'platform-busy'],
  ['431', text(431), 'platform-rejected'],
  ['451', text(451), 'platform-rejected'],
  ['500', text(500), 'platform-error'],
  ['502', page(502), 'platform-error'],
  ['503 and nothing else', text(503), 'platform-unhealthy'],
  ['503 for an hour', text(503, {'Retry-After': '3600'}), 'platform-busy'],
  ['504', page(504), 'platform-error'],
  ['599', text(599), 'platform-error'],
];

const at: readonly Place[] = ['discovery', 'token', 'health', 'mcp', 'observer-health'];

export const statuses: readonly Fault[] = at.flatMap(place =>
  refusals.map(
    ([name, wrap, means]): Fault => ({
      ...{name: `${place}: ${name}`, at: place, answers: wrap, means},
      // A refusal of a renewal without a reason means that the sign-in has probably ended.
      ...(place === 'token' && means === 'platform-rejected' ? {but: {renewal: 'auth-sign-in-required'}} : {}),
    }),
  ),
);
