import {expect, test} from 'vitest';
import {cancelled} from '../../../src/errors/errors.ts';
import {platformAt} from '../../../src/flows/deployment/examine-platform.ts';
import {bundled, openchoreo, platforms} from '../../../src/platform/platforms.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {closedOrigin, json, serveRoutes, text} from '../../support/server.ts';

const METADATA = '/.well-known/oauth-protected-resource';
const [name] = bundled.recognition.resourceNames;

test.each([
  ['its version', {'/version': json({name: bundled.recognition.versionName}), [METADATA]: text('no', 500)}, bundled],
  ['another’s version', {'/version': json({name: openchoreo.recognition.versionName})}, openchoreo],
  ['its metadata', {'/version': text('no', 404), [METADATA]: json({resource_name: name})}, bundled],
  ['neither', {'/version': json({name: 'shop'}), [METADATA]: json({resource_name: 'Shop'})}, undefined],
  ['nothing that can be read', {'/version': text('['), [METADATA]: text('[')}, undefined],
  ['what came with an error', {'/version': json({name: bundled.recognition.versionName}, 500)}, undefined],
])('a platform is known by %s', async (_what, routes, expected) => {
  const found = await platformAt(await serveRoutes(routes), platforms, await temporaryPorts(), noSignal);
  expect(found.platform?.id).toBe(expected?.id);
});

test('nobody who answers is none, and no failure', async () => {
  const ports = await temporaryPorts();
  expect(await platformAt(await closedOrigin(), platforms, ports, noSignal)).toEqual({});
  expect(await platformAt('http://127.0.0.1:1', [], ports, noSignal)).toEqual({});
});

test('who stops hears that', async () => {
  const stopped = AbortSignal.abort(cancelled());
  const looking = platformAt(await closedOrigin(), platforms, await temporaryPorts(), stopped);
  await expect(looking).rejects.toMatchObject({code: 'cancelled'});
});

test('whom a control plane trusts is told', async () => {
  const idp = 'https://sso.acme.example/realms/dev';
  const control = await serveRoutes({[METADATA]: json({authorization_servers: [idp]})});
  expect(await platformAt(control, platforms, await temporaryPorts(), noSignal)).toEqual({issuer: idp});
});
