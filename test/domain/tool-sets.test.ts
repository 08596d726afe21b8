import {describe, expect, test} from 'vitest';
import {narrowedTo, withoutToolSets} from '../../src/domain/tool-sets.ts';

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
