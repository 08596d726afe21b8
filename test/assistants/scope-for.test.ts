import {expect, test} from 'vitest';
import {allAssistants} from '../../src/assistants/catalogue/all.ts';
import type {Place} from '../../src/assistants/place.ts';
import {scopeFor} from '../../src/assistants/scope-for.ts';

const place: Place = {home: '/home/dev', project: '/work/app', system: 'linux', env: {}};

test('an assistant is connected in the wanted scope where it has a file for it, else in its other one', () => {
  const [scopes, one] = [['user', 'project'] as const, allAssistants[0]];
  if (!one) throw new Error('There are assistants.');
  const only = (scope: 'user' | 'project') => ({...one, files: (wanted: string) => (wanted === scope ? ['/a'] : [])});
  expect(scopes.map(wanted => scopeFor(only('user'), wanted, place))).toEqual(['user', 'user']);
  expect(scopes.map(wanted => scopeFor(only('project'), wanted, place))).toEqual(['project', 'project']);
  const both = {...one, files: () => ['/a']};
  expect(scopes.map(wanted => scopeFor(both, wanted, place))).toEqual(scopes);
});
