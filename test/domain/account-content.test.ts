import {expect, test} from 'vitest';
import {type AccountContent, describeContent, firstProject} from '../../src/domain/account-content.ts';

const content = (change: Partial<AccountContent> = {}): AccountContent => ({
  projects: 3,
  components: 8,
  failing: [],
  ...change,
});

const failing = (count: number) =>
  Array.from({length: count}, (_, index) => ({name: `part-${index + 1}`, project: 'shop', status: 'Failed'}));

test.each([
  ['everything works', content(), 'You see 3 projects with 8 components, none of which fails.'],
  ['one of each', content({projects: 1, components: 1}), 'You see 1 project with 1 component, none of which fails.'],
  ['no component yet', content({components: 0}), 'You see 3 projects with 0 components.'],
  [
    'one fails',
    content({failing: failing(1)}),
    'You see 3 projects with 8 components. 1 component fails on the platform: shop/part-1 (Failed).',
  ],
  [
    'many fail',
    content({failing: failing(7)}),
    'You see 3 projects with 8 components. 7 components fail on the platform: shop/part-1 (Failed), shop/part-2 (Failed), shop/part-3 (Failed), shop/part-4 (Failed), shop/part-5 (Failed), 2 more.',
  ],
  [
    'no project is known',
    content({failing: [{name: 'x', project: '', status: 'Failed'}]}),
    'You see 3 projects with 8 components. 1 component fails on the platform: x (Failed).',
  ],
  ['not all was read', content({isPartial: true}), 'You see at least 3 projects with 8 components.'],
  ['nothing is there', content({projects: 0, components: 0}), 'You see no project yet.'],
  ['nothing may be seen', content({projects: 0, components: 0, isPartial: true}), 'You see no project.'],
])('%s', (_what, seen, sentence) => {
  expect(describeContent(seen)).toBe(sentence);
});

test('the sentence is about whoever looks', () => {
  expect(describeContent(content(), 'Your assistants')).toMatch(/^Your assistants see 3 projects/);
});

test('components that no tool lists are not counted', () => {
  const {components: _, ...projects} = content();
  expect(describeContent(projects)).toBe('You see 3 projects.');
});

test('the first project has a command, if there is none yet and the account can create it', () => {
  const none = content({projects: 0, components: 0, creatableIn: 'default'});
  expect(firstProject(none)).toBe(
    'npx setup mcp call control-plane create_project namespace_name=default name=my-project',
  );
  expect(firstProject({...none, isPartial: true})).toBeUndefined();
  expect(firstProject(content({creatableIn: 'default'}))).toBeUndefined();
  expect(firstProject(content({projects: 0, components: 0}))).toBeUndefined();
});
