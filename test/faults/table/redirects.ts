import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import {ownAddress, page, redirects} from '../support/answers.ts';
import type {Fault} from '../support/fault.ts';
import type {Place} from '../support/places.ts';

const ways: readonly (readonly [name: string, answers: Wrap])[] = [
  ['301 to another host', redirects(301, () => 'https://elsewhere.example/there')],
  ['302 to another port', redirects(302, ({headers}) => `http://${headers.host?.replace(/:\d+$/, ':1080')}/there`)],
  ['303 to the same origin', redirects(303, ({headers}) => `http://${headers.host}/moved`)],
  ['307 in a circle', redirects(307, ownAddress)],
  ['308 without a Location', redirects(308, () => undefined)],
  ['302 to no address', redirects(302, () => 'http://[')],
  ['302 with a page', page(302, {Location: 'https://elsewhere.example/sign-in'})],
];

const at: readonly Place[] = ['discovery', 'token', 'health', 'mcp', 'observer-health', 'metadata', 'api', 'keys'];

export const redirections: readonly Fault[] = at.flatMap(place =>
  ways.map(
    ([name, wrap]): Fault => ({name: `${place}: ${name}`, at: place, answers: wrap, means: 'network-redirected'}),
  ),
);
