import {describe, expect, test} from 'vitest';
import type {CliValues} from '../../../src/flows/own-cli/cli-file.ts';
import {contextFields} from '../../../src/flows/own-cli/compose-cli.ts';
import {findPlatform} from '../../../src/platform/platforms.ts';
import {releaseOf} from '../../../src/platform/recognise.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {type Handler, json, serveRoutes} from '../../support/server.ts';

const platform = findPlatform('openchoreo');
const namespaces = platform.paths.namespaces;
const usual = releaseOf(platform, '0.14.0').cli?.context;

type Options = {
  /** Contexts of the file, at this control plane unless they name another. */
  readonly contexts?: readonly Readonly<Record<string, string>>[];
  readonly currentContext?: string;
  readonly signal?: AbortSignal;
};

/** Returns the fields that a new context gets at a control plane with these answers. */
const fieldsAt = async (routes: Readonly<Record<string, Handler>>, options: Options = {}) => {
  const {contexts = [], currentContext, signal = noSignal} = options;
  const asked: (string | undefined)[] = [];
  const watched = Object.entries(routes).map(([path, handler]): [string, Handler] => [
    path,
    (request, response) => {
      asked.push(request.headers.authorization);
      handler(request, response);
    },
  ]);
  const controlPlaneUrl = await serveRoutes(Object.fromEntries(watched));
  const values: CliValues = {
    ...(currentContext === undefined ? {} : {currentContext}),
    controlplanes: [
      {name: 'here', url: `${controlPlaneUrl}/`},
      {name: 'elsewhere', url: 'http://api.other.example'},
    ],
    credentials: [],
    contexts: contexts.map(one => ({controlplane: 'here', ...one})),
  };
  const place = {platform, version: '0.14.0', controlPlaneUrl, token: 'access-0'};
  const run = {ports: await temporaryPorts(), signal, tell: () => {}};
  return {fields: await contextFields(values, 'acme', place, run), asked};
};

const named = (...names: readonly string[]) => json({items: names.map(name => ({metadata: {name}}))});
const flat = (...names: readonly string[]) => json({data: {items: names.map(name => ({name}))}});

describe('a new context begins with', () => {
  test.each([
    ['later', named],
    ['first', flat],
  ])('the first namespace and project that there are (%s releases), asked for with the token', async (_, list) => {
    const {fields, asked} = await fieldsAt({
      [namespaces]: list('team-a', 'team-b'),
      [`${namespaces}/team-a/projects`]: list('shop', 'bank'),
    });
    expect(fields).toEqual({...usual, namespace: 'team-a', project: 'shop'});
    expect(asked).toEqual(['Bearer access-0', 'Bearer access-0']);
  });

  test('the usual ones where they are among them', async () => {
    const {fields} = await fieldsAt({
      [namespaces]: named('team-a', 'default'),
      [`${namespaces}/default/projects`]: named('shop', 'default'),
    });
    expect(fields).toMatchObject({namespace: 'default', project: 'default'});
  });

  test.each<[string, Handler]>([
    ['refused, whatever is in it', json({items: [{name: 'team-a'}]}, 403)],
    ['no list', json({items: 'team-a'})],
    ['an empty list', json({items: []})],
    ['a list without names', json({items: [{}, {metadata: {}}]})],
    ['a list of nothing', json({items: [null]})],
  ])('the usual ones where the answer is %s', async (_, handler) => {
    const {fields} = await fieldsAt({[namespaces]: handler});
    expect(fields).toMatchObject({namespace: 'default', project: 'default'});
  });

  test('what the context of that name has, then the current one, then any at this control plane', async () => {
    const own = {name: 'acme', namespace: 'own', project: 'own', environment: 'own'};
    const current = {name: 'current', namespace: 'current', project: 'current'};
    const other = {name: 'other', namespace: 'other', project: 'other'};
    const elsewhere = {name: 'far', controlplane: 'elsewhere', namespace: 'far', project: 'far'};
    const lost = {name: 'lost', controlplane: 'gone', namespace: 'lost', project: 'lost'};
    const first = async (contexts: Options['contexts'], currentContext: string) => {
      const {fields, asked} = await fieldsAt(
        {[namespaces]: named('asked')},
        {contexts: contexts ?? [], currentContext},
      );
      expect(asked).toHaveLength(fields.namespace === 'asked' ? 1 : 0);
      return fields.namespace;
    };
    expect(await first([lost, elsewhere, other, current, own], 'current')).toBe('own');
    expect(await first([lost, elsewhere, other, current], 'current')).toBe('current');
    expect(await first([lost, elsewhere, other, current], 'far')).toBe('other');
    expect(await first([lost, elsewhere], 'far')).toBe('asked');
    const {fields} = await fieldsAt({}, {contexts: [own]});
    expect(fields).toEqual({...usual, namespace: 'own', project: 'own', environment: 'own'});
  });
});

test('who was told to stop is not answered with the usual', async () => {
  const stop = new Error('Stop.');
  await expect(fieldsAt({}, {signal: AbortSignal.abort(stop)})).rejects.toBe(stop);
});
