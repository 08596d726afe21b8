import {describe, expect, test} from 'vitest';
import {readArguments} from '../../../src/flows/platform-tools/tool-arguments.ts';

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

describe('arguments that a tool does not take', () => {
  const right = {uid: 'u-1', since: '1h'};
  test.each([
    [{}, 'query_logs needs the arguments uid and since.'],
    [{since: '1h'}, 'query_logs needs the argument uid.'],
    [{...right, limit: 'many'}, 'query_logs takes the argument limit as integer, not as string.'],
    [{...right, since: 1}, 'query_logs takes the argument since as string or null, not as number.'],
    [{...right, level: 'loud'}, 'query_logs takes the argument level only as one of "info", "error".'],
    [{...right, uid: 'u'}, 'query_logs does not take the argument uid: String is too short (1 < 3).'],
    [{...right, filter: {tags: ['a', 2]}}, 'query_logs takes the argument filter.tags.1 as string, not as number.'],
  ])('%j', async (object, message) => {
    const remedy = 'See npx setup mcp tools observability query_logs.';
    await expect(read([], object)).rejects.toMatchObject({message, remedy});
  });
});

test('what the schema allows is given on as it wants it', async () => {
  expect(await read(['uid=u-1', 'since=2', 'limit=2'])).toEqual({uid: 'u-1', since: '2', limit: 2});
});
