import {expect, test} from 'vitest';
import {changed, differences, leavesOf} from '../../src/platform/platform.ts';
import {bundled, openchoreo, platformOfDeployment} from '../../src/platform/platforms.ts';

const changes = {
  labels: {observer: 'watch'},
  cliClient: {scopes: ['openid']},
  assistantClient: {clientId: 'a', from: '0.15'},
};

test('members are changed one by one, lists as a whole, and what is absent is added', () => {
  expect(changed(bundled, changes)).toEqual({
    ...bundled,
    labels: {...bundled.labels, observer: 'watch'},
    cliClient: {...bundled.cliClient, scopes: ['openid']},
    assistantClient: {clientId: 'a', from: '0.15'},
    changes,
  });
});

test('the kind itself stays as it is', () => {
  const before = JSON.stringify(bundled);
  changed(bundled, changes);
  expect(JSON.stringify(bundled)).toBe(before);
});

test('what differs is what makes the one into the other', () => {
  const {changes: _, ...there} = changed(bundled, changes);
  expect(differences(bundled, there)).toEqual(changes);
  expect(differences(bundled, {labels: bundled.labels})).toBeUndefined();
});

test('each change is told by the names that lead to it', () => {
  expect(leavesOf(changes)).toEqual([
    {path: 'labels.observer', value: 'watch'},
    {path: 'cliClient.scopes', value: ['openid']},
    {path: 'assistantClient.clientId', value: 'a'},
    {path: 'assistantClient.from', value: '0.15'},
  ]);
});

test('a saved deployment has its kind with what its company changed', () => {
  expect(platformOfDeployment({platform: 'openchoreo'})).toBe(openchoreo);
  expect(platformOfDeployment({platform: 'openchoreo', descriptor: changes}).labels.observer).toBe('watch');
  expect(() => platformOfDeployment({platform: 'other'})).toThrow(expect.objectContaining({code: 'input-invalid'}));
});
