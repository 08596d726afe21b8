import {describe, expect, test} from 'vitest';
import {readContent} from '../../../src/flows/platform-tools/read-content.ts';
import type {CallResult, Tool} from '../../../src/mcp/client.ts';

type Answers = {readonly [tool: string]: (args: Readonly<Record<string, unknown>>) => unknown};

const schemas: {readonly [tool: string]: readonly string[]} = {
  list_namespaces: [],
  list_projects: ['namespace_name'],
  list_components: ['namespace_name', 'project_name'],
  create_project: ['namespace_name', 'name'],
};

const pages = {limit: {type: 'integer'}, cursor: {type: 'string'}};

const toolsOf = (names: readonly string[], properties: object = {}): readonly Tool[] =>
  names.map(name => ({name, inputSchema: {type: 'object', properties, required: schemas[name] ?? []}}) as Tool);

const result = (value: unknown): CallResult =>
  ({content: [{type: 'text', text: JSON.stringify(value)}], structuredContent: value, isError: false}) as CallResult;

/** Reads from a server with these tools, each call of which takes `ms`. */
const reading = async (
  answers: Answers,
  {tools = toolsOf(Object.keys(answers)), ms = 1, sleep = () => new Promise<void>(() => {})} = {},
) => {
  const calls: string[] = [];
  let time = 0;
  const callTool = async (name: string, args: Readonly<Record<string, unknown>>) => {
    calls.push([name, ...Object.values(args)].join(' '));
    time += ms;
    const answer = await answers[name]?.(args);
    if (answer instanceof Error) throw answer;
    return (answer as CallResult)?.content ? (answer as CallResult) : result(answer);
  };
  const content = await readContent({callTool}, tools, {monotonic: () => time, sleep});
  return {content, calls};
};

const shop: Answers = {
  list_namespaces: () => ({namespaces: [{name: 'default'}]}),
  list_projects: () => ({projects: [{name: 'shop'}, {name: 'site'}]}),
  list_components: ({project_name}) => ({
    components:
      project_name === 'shop'
        ? [
            {name: 'cart', projectName: 'shop', status: 'Ready'},
            {name: 'checkout', projectName: 'shop', status: 'WorkloadNotFound'},
          ]
        : [{name: 'web', projectName: 'site'}],
  }),
};

test('what an account sees is counted, and what fails is named', async () => {
  const {content, calls} = await reading(shop);
  expect(content).toEqual({
    projects: 2,
    components: 3,
    failing: [{name: 'checkout', project: 'shop', status: 'WorkloadNotFound'}],
  });
  expect(calls).toEqual([
    'list_namespaces',
    'list_projects default',
    'list_components default shop',
    'list_components default site',
  ]);
});

describe.each([
  ['Ready', false],
  ['Created', false],
  ['', false],
  ['Reconciling', false],
  ['Finalizing', false],
  ['ResourcesProgressing', false],
  ['ResourcesDegraded', true],
  ['AutoDeployFailed', true],
  ['ComponentTypeNotFound', true],
  ['InvalidConfiguration', true],
  ['WorkflowNotAllowed', true],
  ['CrashLoopBackOff', true],
])('a component with the status “%s”', (status, fails) => {
  test(`${fails ? 'fails' : 'does not fail'}`, async () => {
    const {content} = await reading({...shop, list_components: () => ({components: [{name: 'one', status}]})});
    expect(content?.failing).toHaveLength(fails ? 2 : 0);
  });
});

test('tools that want no place are called once, as those of the oldest release', async () => {
  const tools = ['list_projects', 'list_components'].map(
    name => ({name, inputSchema: {type: 'object', properties: {}}}) as Tool,
  );
  const flat: Answers = {
    list_projects: () => ({projects: [{name: 'default'}]}),
    list_components: () => ({components: [{name: 'one'}, {name: 'two'}]}),
  };
  const {content, calls} = await reading(flat, {tools});
  expect(content).toEqual({projects: 1, components: 2, failing: []});
  expect(calls).toEqual(['list_projects', 'list_components']);
});

describe('what cannot be read is left out', () => {
  test('where there are no such tools', async () => {
    expect((await reading({list_environments: () => ({})})).content).toBeUndefined();
  });

  test('where a tool is missing', async () => {
    const {list_components: _, ...others} = shop;
    // A choice of tools may leave it out. Then nothing is known of components, and every project was read.
    expect((await reading(others)).content).toEqual({projects: 2, failing: []});
  });

  test.each([
    ['by an error of the protocol', new Error('not authorized')],
    ['in the words of the tool', {content: [{type: 'text', text: 'insufficient permissions'}], isError: true}],
    ['by an answer that is no list', {components: 'none'}],
    ['by an answer that is no value', {content: [{type: 'text', text: 'none'}], isError: false}],
  ])('where a tool is refused %s', async (_how, answer) => {
    const {content} = await reading({...shop, list_components: () => answer});
    expect(content).toEqual({projects: 2, components: 0, failing: [], isPartial: true});
  });

  test('where the time is up', async () => {
    const projects = Array.from({length: 300}, (_, index) => ({name: `project-${index}`}));
    const many = {...shop, list_projects: () => ({projects}), list_components: () => ({components: [{name: 'one'}]})};
    const slow = await reading(many, {ms: 500});
    expect(slow.content).toMatchObject({projects: 300, isPartial: true});
    expect(slow.calls.length).toBeLessThan(12);
    expect((await reading(many)).content).toEqual({projects: 300, components: 300, failing: []});
  });
});

test('a call that hangs is given up, and what was read before it is kept', async () => {
  const hanging = {...shop, list_components: () => new Promise(() => {})};
  let waits = 0;
  // The first two calls answer at once; the time is up during the third.
  const sleep = () => {
    waits += 1;
    return waits < 3 ? new Promise<void>(() => {}) : Promise.resolve();
  };
  const {content, calls} = await reading(hanging, {sleep});
  expect(content).toMatchObject({projects: 2, isPartial: true});
  expect(calls.filter(call => call.startsWith('list_components'))).toHaveLength(1);
});

test('every page of a list is read, where a tool has pages', async () => {
  const {content, calls} = await reading(
    {
      ...shop,
      list_projects: ({cursor}) =>
        cursor === undefined ? {projects: [{name: 'one'}], next_cursor: 'b'} : {projects: [{name: 'two'}]},
    },
    {tools: toolsOf(Object.keys(shop), pages)},
  );
  expect(content?.projects).toBe(2);
  expect(calls).toContain('list_projects default 100 b');
});

test('a server that always names a next page ends nothing but the list', async () => {
  const endless = {...shop, list_projects: () => ({projects: [{name: 'one'}], next_cursor: 'again'})};
  const {content} = await reading(endless, {tools: toolsOf(Object.keys(shop), pages), ms: 0});
  expect(content).toMatchObject({projects: 50, isPartial: true});
});

describe('names', () => {
  test('are safe to show, whatever the server calls things', async () => {
    const hostile = `\u001b[31mx\u202e${'y'.repeat(200)}`;
    const components = [{name: hostile, projectName: hostile, status: 'X\u001b[0mFailed'}];
    const {content} = await reading({...shop, list_components: () => ({components})});
    for (const {name, project, status} of content?.failing ?? []) {
      for (const text of [name, project, status]) {
        expect(text).not.toMatch(/[\u001b\u202e]/);
        expect(text.length).toBeLessThanOrEqual(64);
      }
    }
    expect(content?.failing).toHaveLength(2);
  });

  test('become part of a command only if they are names of Kubernetes', async () => {
    const empty = {...shop, list_projects: () => ({projects: []}), create_project: () => ({})};
    const named = async (name: string) =>
      (await reading({...empty, list_namespaces: () => ({namespaces: [{name}]})})).content;
    expect(await named('default')).toEqual({projects: 0, components: 0, failing: [], creatableIn: 'default'});
    expect(await named('default; rm -rf ~')).toEqual({projects: 0, components: 0, failing: []});
    const {create_project: _, ...reader} = empty;
    expect((await reading(reader)).content).not.toHaveProperty('creatableIn');
  });
});
