import {silent} from '../support/answers.ts';
import type {Fault} from '../support/fault.ts';
import type {Place} from '../support/places.ts';

const at: readonly Place[] = ['discovery', 'token', 'health', 'mcp', 'observer-health', 'keys'];
const begun = {status: 200, type: 'application/json', body: '{"a":'};

/** Servers that take a request and never finish their answer. */
export const silences: readonly Fault[] = at.flatMap((place): readonly Fault[] => [
  {name: `${place}: no answer`, at: place, answers: silent(), means: 'network-timeout'},
  {name: `${place}: a body without an end`, at: place, answers: silent(begun), means: 'network-timeout'},
]);
