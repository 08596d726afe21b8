import {mkdir, writeFile} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {expect, test} from 'vitest';
import {hasKubeContext} from '../../../src/ports/processes/kube-context.ts';
import {temporaryDirectory} from '../../support/place.ts';

const place = async (text?: string) => {
  const home = await temporaryDirectory();
  await mkdir(join(home, '.kube'));
  const path = join(home, '.kube', 'config');
  if (text !== undefined) await writeFile(path, text);
  return {home, path};
};

test.each([
  ['no file', undefined, false],
  ['no context', 'apiVersion: v1\nkind: Config\ncontexts: []\n', false],
  ['an empty context', 'apiVersion: v1\ncurrent-context: ""\ncontexts: []\n', false],
  ['nothing after it', 'current-context:\nkind: Config\n', false],
  ['a context', 'apiVersion: v1\ncurrent-context: kind-acme\n', true],
  ['a context in quotes', 'current-context: "kind-acme"\n', true],
  ['a context in JSON', '{"apiVersion": "v1", "current-context": "kind-acme"}', true],
])('the file of the home with %s', async (_what, text, expected) => {
  const {home} = await place(text);
  expect(await hasKubeContext({}, home)).toBe(expected);
});

test('the files that KUBECONFIG names are looked at in its place, each of them', async () => {
  const {home, path} = await place('current-context: acme\n');
  const gone = join(home, 'gone');
  expect(await hasKubeContext({KUBECONFIG: gone}, home)).toBe(false);
  expect(await hasKubeContext({KUBECONFIG: [gone, path].join(delimiter)}, home)).toBe(true);
  expect(await hasKubeContext({KUBECONFIG: ''}, home)).toBe(true);
});

test('a pod has a cluster without a file, and a file that cannot be read is no reason not to ask', async () => {
  const {home} = await place();
  expect(await hasKubeContext({KUBERNETES_SERVICE_HOST: '10.0.0.1'}, home)).toBe(true);
  expect(await hasKubeContext({KUBECONFIG: home}, home)).toBe(true);
});
