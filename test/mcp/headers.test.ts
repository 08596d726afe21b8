import {expect, test} from 'vitest';
import {scanSchema} from '../../src/mcp/headers.ts';

const region = {type: 'string', 'x-mcp-header': 'Region'};

test('properties at any depth are repeated in headers', () => {
  const deep = {type: 'object', properties: {on: {type: 'boolean', 'x-mcp-header': 'On'}}};
  const many = {type: 'integer', 'x-mcp-header': 'Many'};
  expect(scanSchema({type: 'object', properties: {region, deep, many, other: {type: 'string'}}})).toEqual({
    declarations: [
      {path: ['region'], name: 'Region'},
      {path: ['deep', 'on'], name: 'On'},
      {path: ['many'], name: 'Many'},
    ],
  });
});

test.each<[string, object, RegExp]>([
  ['an empty name', {properties: {a: {type: 'string', 'x-mcp-header': ''}}}, /of a is no name/],
  ['a name with a space', {properties: {a: {type: 'string', 'x-mcp-header': 'My Region'}}}, /no name of a header/],
  ['a name with a line end', {properties: {a: {type: 'string', 'x-mcp-header': 'a\r\nb'}}}, /no name/],
  ['a name that is none', {properties: {a: {type: 'string', 'x-mcp-header': 7}}}, /no name/],
  [
    'a name twice',
    {properties: {a: region, b: {type: 'string', 'x-mcp-header': 'REGION'}}},
    /names REGION, as another/,
  ],
  ['a number', {properties: {a: {type: 'number', 'x-mcp-header': 'A'}}}, /something else than/],
  ['an object', {properties: {a: {type: 'object', 'x-mcp-header': 'A'}}}, /something else than/],
  ['no type', {properties: {a: {'x-mcp-header': 'A'}}}, /something else than/],
  ['the input itself', {type: 'string', 'x-mcp-header': 'A'}, /of its input is not on a property/],
  ...['items', 'not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames'].map(
    (key): [string, object, RegExp] => [key, {properties: {a: {[key]: region}}}, new RegExp(`of a.${key} is not on`)],
  ),
  ...['items', 'prefixItems', 'oneOf', 'anyOf', 'allOf'].map((key): [string, object, RegExp] => [
    `${key}, a list`,
    {properties: {a: {[key]: [{}, region]}}},
    /is not on/,
  ]),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties'].map((key): [string, object, RegExp] => [
    key,
    {[key]: {a: {properties: {region}}}},
    /is not on/,
  ]),
])('%s is a fault of the tool', (_, schema, fault) => {
  expect(scanSchema({type: 'object', ...schema}).fault).toMatch(fault);
});

test('what is no schema has none', () => {
  expect(scanSchema(undefined)).toEqual({declarations: []});
  expect(scanSchema({properties: [], allOf: {}, $defs: 1})).toEqual({declarations: []});
});
