import type {ErrorCode} from '../../../src/errors/errors.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {breaksOff, bytes, floods} from '../support/answers.ts';
import type {Fault} from '../support/fault.ts';
import type {Place} from '../support/places.ts';

const tlsAlert = Buffer.from([0x15, 3, 3, 0, 2, 2, 40]);
const ways: readonly (readonly [name: string, answers: Wrap, ErrorCode])[] = [
  ['a reset', breaksOff('at-once'), 'network-reset'],
  ['an end behind the headers', breaksOff('after-headers'), 'network-reset'],
  ['an end in the body', breaksOff('mid-body'), 'network-reset'],
  ['an end without a word', bytes(''), 'network-reset'],
  ['TLS', bytes(tlsAlert), 'network-wrong-scheme'],
  ['another protocol', bytes('220 mail.example ESMTP\r\n'), 'network-wrong-scheme'],
  ['a broken status line', bytes('HTTP/1.1 two hundred\r\n\r\n'), 'platform-invalid-answer'],
  [
    'a header of 1 MB',
    bytes(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(1_000_000)}\r\n\r\n{}`),
    'platform-invalid-answer',
  ],
  [
    'two lengths',
    bytes('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    'platform-invalid-answer',
  ],
  [
    'a broken chunk',
    bytes('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
    'platform-invalid-answer',
  ],
  ['a body of 262 MB', floods('application/json', '{"a":"'), 'platform-invalid-answer'],
];
const at: readonly Place[] = ['discovery', 'token', 'health', 'mcp', 'observer-health', 'keys'];
export const connections: readonly Fault[] = at.flatMap(place =>
  ways.map(([name, wrap, means]): Fault => ({name: `${place}: ${name}`, at: place, answers: wrap, means})),
);
