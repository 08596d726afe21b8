import {expect, test} from 'vitest';
import type {Context} from '../../../../src/domain/context.ts';
import type {Learned, Scene} from '../../../../src/flows/diagnosis/check.ts';
import {renewedOnce} from '../../../../src/flows/diagnosis/checks/renewed-token.ts';
import {contextAt} from '../../../support/context.ts';
import {noSignal} from '../../../support/flows.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {rotating, tokenServer} from '../../../support/token-server.ts';

const audience = 'http://observer.acme.localhost/mcp';

/** Sets up a signed-in person in the middle of a diagnosis. */
const diagnosing = async (
  more: Partial<Context> = {},
  learned: Learned = {token: {accessToken: 'old'}},
  answer: Parameters<typeof tokenServer>[0] = rotating,
) => {
  const {issuer, asked} = await tokenServer(answer);
  const ports = await temporaryPorts();
  const context = {...contextAt(issuer), ...more};
  const key = {issuer, clientId: context.clientId};
  const expiresAt = Date.now() + 3_600_000;
  await ports.credentials.replace(key, {...key, accessToken: 'old', refreshToken: 'r', expiresAt});
  const own = {...key, audience};
  if (more.resources)
    await ports.credentials.replace(own, {...own, accessToken: 'own-old', refreshToken: 'own-r', expiresAt});
  const told: string[] = [];
  const scene = {
    subject: {context},
    ports,
    learned,
    signal: noSignal,
    diagnosis: noSignal,
    tell: ({type}: {type: string}) => told.push(type),
  } as unknown as Scene;
  return {scene, learned, asked, told, ports};
};

test('a token that is refused is renewed once, whoever refuses it, and all go by the new one', async () => {
  const {scene, learned, asked, told} = await diagnosing();
  expect(await renewedOnce('control-plane', 'old', scene)).toBe('access-1');
  expect(learned.token?.accessToken).toBe('access-1');
  expect(learned.ownToken).toBeUndefined();
  expect(await renewedOnce('observability', 'old', scene)).toBe('access-1');
  expect(asked).toHaveLength(1);
  expect(told).toContain('call-answered');
});

test('a renewal that takes longer than the check that began it goes on for the others', async () => {
  const asked = Promise.withResolvers<void>();
  const late = Promise.withResolvers<void>();
  const {scene} = await diagnosing({}, undefined, (form, count) => {
    asked.resolve();
    return {...rotating(form, count), delay: late.promise};
  });
  const check = new AbortController();
  const first = renewedOnce('control-plane', 'old', {...scene, signal: check.signal});
  await asked.promise;
  const second = renewedOnce('observability', 'old', scene);
  check.abort(new DOMException('It took too long.', 'TimeoutError'));
  await expect(first).rejects.toMatchObject({name: 'TimeoutError'});
  late.resolve();
  expect(await second).toBe('access-1');
});

test('a renewed token that is refused as well is not renewed again', async () => {
  const {scene, learned, asked} = await diagnosing();
  expect(await renewedOnce('control-plane', 'old', scene)).toBe('access-1');
  expect(await renewedOnce('control-plane', 'access-1', scene)).toBeUndefined();
  expect(learned.token?.accessToken).toBe('access-1');
  expect(asked).toHaveLength(1);
});

test('a server with a token of its own has that renewed, and the other stays', async () => {
  const learned: Learned = {token: {accessToken: 'old'}, ownToken: {accessToken: 'own-old'}};
  const {scene, asked} = await diagnosing({resources: {observability: audience}}, learned);
  expect(await renewedOnce('observability', 'own-old', scene)).toBe('access-1');
  expect([learned.token?.accessToken, learned.ownToken?.accessToken]).toEqual(['old', 'access-1']);
  expect(asked[0]?.get('refresh_token')).toBe('own-r');
  expect(await renewedOnce('control-plane', 'old', scene)).toBe('access-2');
  expect([learned.token?.accessToken, learned.ownToken?.accessToken]).toEqual(['access-2', 'access-1']);
  expect(asked[1]?.get('refresh_token')).toBe('r');
});

test('there is nothing to renew without a saved deployment, or without what renews', async () => {
  const unsaved = await diagnosing();
  const {context: _, ...subject} = unsaved.scene.subject;
  expect(await renewedOnce('control-plane', 'old', {...unsaved.scene, subject})).toBeUndefined();
  expect(unsaved.asked).toEqual([]);
  const {scene, ports, asked} = await diagnosing();
  if (scene.subject.context) await ports.credentials.replace(scene.subject.context, undefined);
  expect(await renewedOnce('control-plane', 'old', scene)).toBeUndefined();
  expect(asked).toEqual([]);
});
