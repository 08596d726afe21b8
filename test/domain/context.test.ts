import {describe, expect, test} from 'vitest';
import {type Config, currentContextIn, findContext} from '../../src/domain/context.ts';
import {contextAt} from '../support/context.ts';

const [first, second] = ['first', 'second'].map(name => ({...contextAt('https://idp.acme.example'), name}));
const saved = (currentContext?: string): Config => ({
  version: 1,
  contexts: [first, second].filter(one => one !== undefined),
  ...(currentContext === undefined ? {} : {currentContext}),
});

describe('the current context', () => {
  test('is the one that was made current', () => {
    expect(currentContextIn(saved('second'))).toBe(second);
  });

  test.each([undefined, 'gone'])('is the first where %s was', name => {
    expect(currentContextIn(saved(name))).toBe(first);
  });

  test('is none where nothing is saved', () => {
    expect(currentContextIn({version: 1, contexts: [], currentContext: 'gone'})).toBeUndefined();
  });
});

test('a context that is named is that one or none, and the current one where none is named', () => {
  expect(findContext(saved('second'), 'first')).toBe(first);
  expect(findContext(saved('second'), 'third')).toBeUndefined();
  expect(findContext(saved('second'), '')).toBeUndefined();
  expect(findContext(saved('second'))).toBe(second);
});
