import {Ajv2020} from 'ajv/dist/2020.js';
import {describe, expect, test} from 'vitest';
import {configFormat} from '../../src/store/config-schema.ts';
import {problemIn} from '../../src/store/json-files.ts';
import {mcpClientContext} from '../support/context.ts';

const {schema, formats} = configFormat;

/** A config with every member. */
const whole = {
  version: 1,
  currentContext: 'acme',
  contexts: [
    {
      ...mcpClientContext,
      observerUrl: 'http://observer.acme.localhost:11080',
      scopes: ['openid'],
      resources: {observability: 'https://observer.acme.example/mcp'},
      network: {
        proxy: {https: 'http://proxy:3128', except: 'localhost'},
        authority: {pem: '-----BEGIN'},
        clientCertificate: {certificate: '/c.pem', key: '/k.pem'},
      },
      entries: [
        {assistant: 'cursor', scope: 'user', project: '/p', method: 'bridge', path: '/p/mcp.json', names: ['acme']},
      ],
      cli: {path: '/cli', name: 'acme', added: ['contexts']},
    },
    {...mcpClientContext, name: 'other', network: {proxy: 'none', authority: {file: '/ca.pem'}}},
  ],
};

/** Returns the same value with one place changed, for each place and each change. */
const changed = (value: unknown): unknown[] => {
  const others = [undefined, null, 7, true, '', 'text', 'http://a b', [], ['x'], {}, {other: 1}];
  if (typeof value !== 'object' || value === null) return others;
  const parts = Object.entries(value).flatMap(([key, item]) =>
    changed(item).map(one => (Array.isArray(value) ? value.with(Number(key), one) : {...value, [key]: one})),
  );
  return [...others, ...parts];
};

describe('what is read without a validator', () => {
  const validate = new Ajv2020({formats: {...formats}}).compile(schema);

  test('is as right and as wrong as to the validator, in every place', () => {
    const values = [whole, ...changed(whole).map(value => JSON.parse(JSON.stringify(value ?? null)))];
    const verdicts = values.map(value => [problemIn(value, schema) === undefined, validate(value)] as const);
    expect(values.filter((_, index) => verdicts[index]?.[0] !== verdicts[index]?.[1])).toEqual([]);
    const right = verdicts.filter(([isRight]) => isRight).length;
    expect([right > 50, verdicts.length - right > 300]).toEqual([true, true]);
  });

  test.each([
    [{...whole, version: 2}, 'version is not known'],
    [{version: 1, contexts: 'none'}, 'contexts is not a list'],
    [{version: 1, contexts: [7]}, 'contexts[0] is not an object'],
    [{version: 1, contexts: [{...mcpClientContext, name: ''}]}, 'contexts[0].name is empty'],
    [{version: 1, contexts: [{...mcpClientContext, scopes: [1]}]}, 'contexts[0].scopes[0] is not text'],
    [{version: 1, contexts: [{...mcpClientContext, network: {proxy: 'no'}}]}, 'contexts[0].network.proxy is not known'],
  ])('is told by its place', (value, problem) => {
    expect(problemIn(value, schema)).toBe(problem);
  });
});
