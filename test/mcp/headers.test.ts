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
  ['an empty name', {properties: {a: {type: 'string', 'x-mcp-header': ''}}}, /of a is not a valid header name/],
  ['a name with a space', {properties: {a: {type: 'string', 'x-mcp-header': 'My Region'}}}, /not a valid header name/],
  ['a name with a line end', {properties: {a: {type: 'string', 'x-mcp-header': 'a\r\nb'}}}, /not a valid header name/],
  ['a name that is none', {properties: {a: {type: 'string', 'x-mcp-header': 7}}}, /not a valid header name/],
  [
    'a name twice',
    {properties: {a: region, b: {type: 'string', 'x-mcp-header': 'REGION'}}},
    /repeats the header name REGION/,
  ],
  ['a number', {properties: {a: {type: 'number', 'x-mcp-header': 'A'}}}, /something other than/],
  ['an object', {properties: {a: {type: 'object', 'x-mcp-header': 'A'}}}, /something other than/],
  ['no type', {properties: {a: {'x-mcp-header': 'A'}}}, /something other than/],
  ['the input itself', {type: 'string', 'x-mcp-header': 'A'}, /of its input is not directly on a property/],
  ...['items', 'not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames'].map(
    (key): [string, object, RegExp] => [
      key,
      {properties: {a: {[key]: region}}},
      new RegExp(`of a.${key} is not directly on`),
    ],
  ),
  ...['items', 'prefixItems', 'oneOf', 'anyOf', 'allOf'].map((key): [string, object, RegExp] => [
    `${key}, a list`,
    {properties: {a: {[key]: [{}, region]}}},
    /is not directly on/,
  ]),
  ...['$defs', 'definitions', 'dependentSchemas', 'patternProperties'].map((key): [string, object, RegExp] => [
    key,
    {[key]: {a: {properties: {region}}}},
    /is not directly on/,
  ]),
])('%s is a fault of the tool', (_, schema, fault) => {
  expect(scanSchema({type: 'object', ...schema}).fault).toMatch(fault);
});

test('what is no schema has none', () => {
  expect(scanSchema(undefined)).toEqual({declarations: []});
  expect(scanSchema({properties: [], allOf: {}, $defs: 1})).toEqual({declarations: []});
});
