import {describe, expect, test} from 'vitest';
import {readArguments} from '../../../src/flows/platform-tools/call-tool.ts';
import {worded} from '../../support/worded.ts';

const tool = {
  name: 'query_logs',
  inputSchema: {
    type: 'object',
    required: ['uid', 'since'],
    properties: {
      uid: {type: 'string', minLength: 3},
      since: {type: ['string', 'null']},
      limit: {type: 'integer'},
      level: {type: 'string', enum: ['info', 'error']},
      filter: {type: 'object', properties: {tags: {type: 'array', items: {type: 'string'}}}},
    },
  },
} as const;

const read = (words: readonly string[], object = {}) => readArguments(tool, {words, object}, 'observability');

const right = {uid: 'u-1', since: '1h'};

describe('arguments that a tool does not take', () => {
  test.each([
    [{}, 'query_logs needs the arguments uid and since.'],
    [{since: '1h'}, 'query_logs needs the argument uid.'],
    [{...right, limit: 'many'}, 'query_logs expects the argument limit as integer, not as string.'],
    [{...right, since: 1}, 'query_logs expects the argument since as string or null, not as number.'],
    [{...right, level: 'loud'}, 'query_logs accepts only "info", "error" for the argument level.'],
    [{...right, uid: 'u'}, 'query_logs does not accept the argument uid: String is too short (1 < 3).'],
    [{...right, filter: {tags: ['a', 2]}}, 'query_logs expects the argument filter.tags.1 as string, not as number.'],
  ])('%j', async (object, message) => {
    const remedy = 'See npx setup mcp tools observability query_logs.';
    await expect(worded(read([], object))).rejects.toMatchObject({message, remedy});
  });
});

test('what the schema allows is given on as it wants it', async () => {
  expect(await read(['uid=u-1', 'since=2', 'limit=2'])).toEqual({uid: 'u-1', since: '2', limit: 2});
});

test('a word takes the place of what a file says, and may hold what separates it from its key', async () => {
  expect(await read(['uid=a=b'], right)).toEqual({uid: 'a=b', since: '1h'});
  expect(await read(['uid=u-1', 'since='])).toEqual({uid: 'u-1', since: ''});
});

test('what is no text is read as JSON', async () => {
  expect(await read(['filter={"tags": ["a"]}'], right)).toEqual({...right, filter: {tags: ['a']}});
});

describe('a word that cannot be read', () => {
  test.each([
    ['uid', '“uid” is not an argument. Write it as key=value.'],
    ['=u-1', '“=u-1” is not an argument. Write it as key=value.'],
    ['limit=many', 'limit=many is not of type integer.'],
    ['colour=blue', 'query_logs has no argument colour.'],
  ])('%s', async (word, message) => {
    await expect(read([word], right)).rejects.toMatchObject({code: 'input-invalid', message});
  });

  test('is told with what there is, where the tool does not take it', async () => {
    const remedy = 'Use its arguments: uid, since, limit, level, filter.';
    await expect(worded(read(['colour=blue'], right))).rejects.toMatchObject({remedy});
  });

  test('is told with all types that it may be of', async () => {
    const inputSchema = {type: 'object', properties: {n: {type: ['integer', 'null']}}};
    const reading = readArguments({name: 'count', inputSchema}, {words: ['n=many']}, 'observability');
    await expect(reading).rejects.toMatchObject({message: 'n=many is not of type integer or null.'});
  });
});

describe('a schema that says little', () => {
  const asked = (inputSchema: object, words: readonly string[], object?: Record<string, unknown>) =>
    readArguments(
      {name: 'free', inputSchema: {...inputSchema}},
      {words, ...(object === undefined ? {} : {object})},
      'observability',
    );

  test('takes arguments of any name, as texts', async () => {
    expect(await asked({type: 'object'}, ['n=1'])).toEqual({n: '1'});
  });

  test('takes an argument of no type as JSON where it is some, else as text', async () => {
    const schema = {type: 'object', properties: {any: {}}};
    expect(await asked(schema, ['any=[1]'])).toEqual({any: [1]});
    expect(await asked(schema, ['any=one'])).toEqual({any: 'one'});
  });

  test('is refused as a whole where no argument is named', async () => {
    const schema = {type: 'object', minProperties: 1};
    await expect(asked(schema, [])).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringMatching(/^free does not accept these arguments: /),
    });
  });

  test.each([
    [{enum: [1, 2]}, 'free accepts only 1, 2 for the argument n.'],
    [{const: 1}, 'free accepts only 1 for the argument n.'],
    [{const: 'a'}, 'free accepts only "a" for the argument n.'],
    [{enum: [null, 1]}, 'free does not accept the argument n: Instance does not match any of [null,1].'],
    [{const: {a: 1}}, 'free does not accept the argument n: Instance does not match {"a":1}.'],
  ])('may allow only some values: %j', async (n, message) => {
    await expect(asked({type: 'object', properties: {n}}, ['n=3'])).rejects.toMatchObject({message});
  });
});
