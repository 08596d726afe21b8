import {describe, expect, test} from 'vitest';
import {componentIn, nameIn, projectOf} from '../../../src/flows/platform-tools/components.ts';

/** Fields that both shapes have. */
const cart = {
  namespace: 'default',
  project: 'shop',
  name: 'cart',
  type: 'service',
  status: 'Ready',
  createdAt: '2026-01-02T03:04:05Z',
};

describe('a component', () => {
  test('in the flat shape of the first releases', () => {
    const item = {
      name: 'cart',
      type: 'service',
      status: 'Ready',
      createdAt: '2026-01-02T03:04:05Z',
      projectName: 'shop',
    };
    expect(componentIn(item, 'default', 'shop')).toEqual(cart);
    expect([nameIn(item), projectOf(item)]).toEqual(['cart', 'shop']);
  });

  test('as a resource of Kubernetes, which comes before the flat shape', () => {
    const item = {
      ...{name: 'flat', type: 'flat', createdAt: 'flat', projectName: 'flat'},
      metadata: {name: 'cart', creationTimestamp: '2026-01-02T03:04:05Z'},
      spec: {owner: {projectName: 'shop'}, componentType: {name: 'service'}},
      status: {
        conditions: [
          {type: 'Synced', status: 'False'},
          {type: 'Ready', status: 'True'},
        ],
      },
    };
    expect(componentIn(item, 'default', projectOf(item))).toEqual(cart);
  });

  test.each([
    {},
    {metadata: null, spec: null, status: null},
    {metadata: 'a', spec: {owner: 1, componentType: []}, status: 1},
  ])('of which nothing is known (%j)', item => {
    expect(componentIn(item, 'default', '')).toEqual({
      namespace: 'default',
      project: '',
      name: '',
      type: '',
      status: '',
    });
    expect([nameIn(item), projectOf(item)]).toEqual(['', '']);
  });

  test('is shown without control characters', () => {
    const item = {metadata: {name: 'ca\nrt', creationTimestamp: 'to\nday'}, status: 'not\nyet', type: 'ser\nvice'};
    expect(componentIn(item, 'de\nfault', 'sh\nop')).toEqual({
      namespace: 'de fault',
      project: 'sh op',
      name: 'ca rt',
      type: 'ser vice',
      status: 'not yet',
      createdAt: 'to day',
    });
  });

  test.each([
    [[{type: 'Ready', status: 'False', reason: 'BuildFailed'}], 'BuildFailed'],
    [[{type: 'Ready', status: 'Unknown'}], 'Not ready'],
    [[{type: 'Synced', status: 'True'}], ''],
    [[], ''],
    ['Ready', ''],
  ])('says of readiness by conditions %j a word', (conditions, status) => {
    expect(componentIn({status: {conditions}}, 'default', 'shop').status).toBe(status);
  });
});
