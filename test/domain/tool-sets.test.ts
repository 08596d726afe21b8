import {describe, expect, test} from 'vitest';
import {aboutTokens, costOf, describeCost, narrowedTo, sumOf, withoutToolSets} from '../../src/domain/tool-sets.ts';

const sets = {build: ['namespace', 'component'], run: ['pe']};
const url = 'https://api.acme.example/base/mcp';

describe('the address of a server', () => {
  test('names the sets of a choice', () => {
    expect(narrowedTo('build', url, sets)).toBe(`${url}?toolsets=namespace,component`);
    expect(narrowedTo('run', url, sets)).toBe(`${url}?toolsets=pe`);
  });

  test('is as it is for all tools, and where there are no sets, or none for that', () => {
    expect(narrowedTo('all', url, sets)).toBe(url);
    expect(narrowedTo('build', url, undefined)).toBe(url);
    expect(narrowedTo('build', url, {run: ['pe']})).toBe(url);
  });

  test.each([
    [url, url],
    [`${url}?toolsets=pe`, url],
    [`${url}?toolsets=a%2Cb`, url],
    [`${url}?toolsets=`, url],
    [`${url}?filterByAuthz=false&toolsets=pe`, `${url}?filterByAuthz=false`],
    [`${url}?filterByAuthz=false`, `${url}?filterByAuthz=false`],
    [`${url}/toolsets`, `${url}/toolsets`],
    ['no address', 'no address'],
  ])('is the same server whatever sets are asked for: %s', (given, expected) => {
    expect(withoutToolSets(given)).toBe(expected);
  });
});

test('tools cost what a model is given of them, and nothing else that their server says', () => {
  const given = {name: 'list', description: 'Lists.', inputSchema: {type: 'object'}};
  const tokens = Math.ceil(JSON.stringify(given).length / 4);
  expect(costOf([given])).toEqual({tools: 1, tokens});
  const told = {...given, title: 'List them', annotations: {readOnlyHint: true}, outputSchema: {type: 'object'}};
  expect(costOf([told])).toEqual({tools: 1, tokens});
  expect(costOf([{name: 'bare', inputSchema: {}}]).tokens).toBe(
    JSON.stringify({name: 'bare', inputSchema: {}}).length / 4,
  );
  expect(costOf([])).toEqual({tools: 0, tokens: 0});
});

test('servers cost what they cost together', () => {
  expect(sumOf([])).toEqual({tools: 0, tokens: 0});
  expect(
    sumOf([
      {tools: 25, tokens: 6083},
      {tools: 6, tokens: 1490},
    ]),
  ).toEqual({tools: 31, tokens: 7573});
});

test.each([
  [6083, 'about 6,100 tokens'],
  [26_109, 'about 26,100 tokens'],
  [1000, 'about 1,000 tokens'],
  [536, 'about 540 tokens'],
  [0, 'about 0 tokens'],
])('%s tokens are %s', (tokens, words) => {
  expect(aboutTokens(tokens)).toBe(words);
});

test('one tool is one tool', () => {
  expect(describeCost({tools: 1, tokens: 11})).toBe('1 tool, about 10 tokens');
  expect(describeCost({tools: 25, tokens: 6083})).toBe('25 tools, about 6,100 tokens');
});
