import type {ErrorCode} from '../../../src/errors/errors.ts';
import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {answers, json, page} from '../support/answers.ts';
import type {Ending, Fault} from '../support/fault.ts';
import type {Place} from '../support/places.ts';

const latin = Buffer.from('{"issuer":"caf\xe9"}', 'latin1');

/** Answers with a status of success that are not a success. */
const documents: readonly (readonly [name: string, answers: Wrap, ErrorCode])[] = [
  ['a page', page(200), 'network-portal'],
  ['nothing', answers(200), 'platform-not-json'],
  ['204', answers(204), 'platform-not-json'],
  ['null', json('null'), 'platform-invalid-answer'],
  ['a list', json('[]'), 'platform-invalid-answer'],
  ['a number', json('42'), 'platform-invalid-answer'],
  ['an empty object', json('{}'), 'platform-invalid-answer'],
  ['JSON that is cut off', json('{"issuer":"http'), 'platform-invalid-answer'],
  ['text', answers(200, 'hello', {'Content-Type': 'text/plain'}), 'platform-not-json'],
  ['an image', answers(200, Buffer.from([137, 80, 78, 71]), {'Content-Type': 'image/png'}), 'platform-not-json'],
  ['bytes that are not UTF-8', answers(200, latin, {'Content-Type': 'application/json'}), 'platform-invalid-answer'],
  [
    'another charset',
    answers(200, Buffer.from('{}', 'utf16le'), {'Content-Type': 'application/json; charset=utf-16'}),
    'platform-invalid-answer',
  ],
];
/** The places that answer with JSON. */
const at: readonly Place[] = ['discovery', 'token', 'mcp', 'observer-health', 'metadata', 'api', 'keys'];

const incomplete = ['an empty object', 'bytes that are not UTF-8'] as const;
const all = <Means extends Ending>(names: readonly string[], means: Means) =>
  Object.fromEntries(names.map(name => [name, means]));

/** Exceptions: the codes that some of these answers have in some places. */
const otherwise: {readonly [P in Place]?: Readonly<Record<string, Ending>>} = {
  // The service of the MCP server answers, so a page in its place does not come from this network.
  mcp: all(['a page', 'nothing', '204', 'text', 'an image'], 'platform-mcp-failed'),
  // The answer is JSON, but not that of an observer.
  'observer-health': all(incomplete, 'platform-no-such-endpoint'),
  // Neither answer has a required member.
  metadata: all(incomplete, 'ok'),
  api: all(incomplete, 'ok'),
};

export const wrongDocuments: readonly Fault[] = [
  ...at.flatMap(place =>
    documents.map(
      ([name, wrap, usual]): Fault => ({
        ...{name: `${place}: ${name}`, at: place, answers: wrap},
        means: otherwise[place]?.[name] ?? usual,
      }),
    ),
  ),
  {name: 'health: a page', at: 'health', answers: page(200), means: 'network-portal'},
];
