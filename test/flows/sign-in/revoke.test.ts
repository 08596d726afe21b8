import {expect, onTestFinished, test, vi} from 'vitest';
import type {Context} from '../../../src/domain/context.ts';
import type {Credentials} from '../../../src/domain/credentials.ts';
import {cancelled} from '../../../src/errors/errors.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {revoke, revokeFormer} from '../../../src/flows/sign-in/revoke.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {revokingServer} from '../../support/revoking-server.ts';
import {closedOrigin} from '../../support/server.ts';

const both = {accessToken: 'access', refreshToken: 'refresh'};

const revokeAt = async (issuer: string, kept: Partial<Credentials> | undefined, changes: Partial<Context> = {}) => {
  const context = {...contextAt(issuer), ...changes};
  const {clientId} = context;
  const run = {ports: await temporaryPorts(), signal: noSignal, tell: () => {}};
  return revoke(context, kept && {issuer, clientId, ...kept}, run);
};

const outcomeAt = async (...args: Parameters<typeof revokeAt>) => (await revokeAt(...args)).outcome;

test.each([
  ['the refresh token, with which the sign-in ends', both, ['refresh', 'refresh_token']],
  ['the access token where there is no other', {accessToken: 'access'}, ['access', 'access_token']],
])('what is revoked is %s', async (_what, kept, expected) => {
  const {issuer, forms} = await revokingServer();
  expect(await outcomeAt(issuer, kept)).toBe('revoked');
  expect(forms.map(form => [form.get('token'), form.get('token_type_hint')])).toEqual([expected]);
  expect(forms[0]?.get('client_id')).toBe('platform-cli');
});

test('a client proves itself by its own secret, in its own way', async () => {
  const {issuer, forms, authorizations} = await revokingServer();
  const kept = {accessToken: 'access', clientSecret: 'secret'};
  expect(await outcomeAt(issuer, kept, {signIn: 'service-account'})).toBe('revoked');
  expect([forms[0]?.get('client_secret'), authorizations[0]]).toEqual(['secret', undefined]);
  expect(await outcomeAt(issuer, kept, {signIn: 'mcp-client'})).toBe('revoked');
  expect(forms[1]?.has('client_secret')).toBe(false);
  expect(authorizations[1]).toBe(`Basic ${Buffer.from('platform-cli:secret').toString('base64')}`);
});

test('nothing can be revoked where the identity provider has no such endpoint', async () => {
  const {issuer} = await revokingServer({offered: false});
  expect(await outcomeAt(issuer, both)).toBe('not-offered');
});

test.each([
  ['nothing is kept', undefined],
  ['there is no token', {clientSecret: 'secret'}],
])('nothing is left to revoke where %s', async (_why, kept) => {
  const {issuer, forms} = await revokingServer();
  expect(await outcomeAt(issuer, kept)).toBe('nothing');
  expect(forms).toEqual([]);
});

test('an answer that is no revocation is told from no answer', async () => {
  const unsupported = await revokingServer({answer: () => ({status: 400, body: {error: 'unsupported_token_type'}})});
  expect(await outcomeAt(unsupported.issuer, both)).toBe('refused');
  const busy = await revokingServer({answer: () => ({status: 503, body: {error: 'temporarily_unavailable'}})});
  expect(await outcomeAt(busy.issuer, both)).toBe('refused');
  expect(await outcomeAt(await closedOrigin(), both)).toBe('failed');
});

test('what it answered to a revocation that it refused is told', async () => {
  const spring = await revokingServer({answer: () => ({status: 401, raw: ''})});
  expect(await revokeAt(spring.issuer, both)).toEqual({
    outcome: 'refused',
    said: `${spring.issuer}/revoke answered 401 to platform-cli without a reason.`,
  });
  const canaille = await revokingServer({answer: () => ({status: 401, body: {error: 'invalid_client'}})});
  expect(await revokeAt(canaille.issuer, both)).toMatchObject({said: expect.stringContaining('(invalid_client)')});
});

test('who leads to a sign-in page has answered, and refused', async () => {
  const spring = await revokingServer({answer: () => ({status: 302, location: '/login'})});
  expect(await revokeAt(spring.issuer, both)).toMatchObject({
    outcome: 'refused',
    said: expect.stringMatching(/redirects to/),
  });
});

test('a secret is sent in the way that is listed for revocations, whatever it is sent by elsewhere', async () => {
  const {issuer, forms, authorizations} = await revokingServer({methods: ['client_secret_basic']});
  const kept = {accessToken: 'access', clientSecret: 'secret'};
  expect(await revokeAt(issuer, kept, {signIn: 'service-account'})).toEqual({outcome: 'revoked'});
  expect([forms.length, forms[0]?.has('client_secret'), authorizations[0]]).toEqual([
    ...[1, false],
    `Basic ${Buffer.from('platform-cli:secret').toString('base64')}`,
  ]);
  // An absent list does not prevent the attempt: many providers that list no methods accept it.
  expect(await revokeAt(issuer, both)).toEqual({outcome: 'revoked'});
  const neither = await revokingServer({methods: ['private_key_jwt']});
  expect(await revokeAt(neither.issuer, kept, {signIn: 'service-account'})).toMatchObject({outcome: 'refused'});
  expect(neither.forms).toEqual([]);
});

test('a revocation that takes too long has failed', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  onTestFinished(() => timeout.mockRestore());
  const {issuer} = await revokingServer();
  expect(await outcomeAt(issuer, both)).toBe('failed');
});

test('somebody who stops does not hear that it failed', async () => {
  const stop = new AbortController();
  const {issuer} = await revokingServer({
    answer: () => {
      stop.abort(cancelled());
      return {};
    },
  });
  const context = contextAt(issuer);
  const run = {ports: await temporaryPorts(), signal: stop.signal, tell: () => {}};
  const kept = {issuer, clientId: context.clientId, ...both};
  await expect(revoke(context, kept, run)).rejects.toMatchObject({code: 'cancelled'});
});

const revokeFormerAt = async (issuer: string, former: Partial<Credentials> | undefined, signal = noSignal) => {
  const events: FlowEvent[] = [];
  const context = contextAt(issuer);
  const {clientId} = context;
  const run = {ports: await temporaryPorts(), signal, tell: (event: FlowEvent) => void events.push(event)};
  await revokeFormer(context, former && {issuer, clientId, ...former}, run);
  return events.filter(({type}) => !type.startsWith('call-'));
};

test.each([{service_status: []}, {serviceStatus: []}])(
  'a sign-in that a new one has taken the place of is revoked at the platform’s own identity provider: %o',
  async readiness => {
    const {issuer, revoked} = await revokingServer({readiness});
    const event = {type: 'token-revoked', outcome: 'revoked'};
    expect(await revokeFormerAt(issuer, {...both, account: 'ann'})).toEqual([{...event, account: 'ann'}]);
    expect(await revokeFormerAt(issuer, both)).toEqual([{...event, account: 'platform-cli'}]);
    expect(revoked()).toEqual(['refresh', 'refresh']);
  },
);

test('that it could not be revoked is said, and that there is no way to is not', async () => {
  const readiness = {service_status: []};
  const broken = await revokingServer({readiness, answer: () => ({status: 500})});
  expect(await revokeFormerAt(broken.issuer, both)).toMatchObject([{type: 'token-revoked', outcome: 'refused'}]);
  const without = await revokingServer({readiness, offered: false});
  expect(await revokeFormerAt(without.issuer, both)).toEqual([]);
});

test.each([
  ['it had no refresh token', {readiness: {service_status: []}}, {accessToken: 'access'}],
  ['there was none', {readiness: {service_status: []}}, undefined],
  ['the identity provider is another', {readiness: {status: 'UP'}}, both],
])('nothing is revoked where %s', async (_why, behaviour, former) => {
  const {issuer, revoked} = await revokingServer(behaviour);
  expect(await revokeFormerAt(issuer, former)).toEqual([]);
  expect(revoked()).toEqual([]);
});

test('whether it is the platform’s own may stay unknown, but for who stops', async () => {
  const gone = await closedOrigin();
  expect(await revokeFormerAt(gone, both)).toEqual([]);
  await expect(revokeFormerAt(gone, both, AbortSignal.abort(cancelled()))).rejects.toMatchObject({code: 'cancelled'});
});
