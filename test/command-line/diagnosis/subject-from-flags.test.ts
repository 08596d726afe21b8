import {expect, test} from 'vitest';
import type {Invocation} from '../../../src/command-line/command.ts';
import {subjectOf} from '../../../src/command-line/diagnosis/subject-from-flags.ts';
import type {FlagValues} from '../../../src/command-line/flags.ts';
import {commandLineOf} from '../../../src/errors/remedy.ts';
import {loginCommand, type Subject, setUpCommand} from '../../../src/flows/diagnosis/check.ts';
import {SETUP} from '../../../src/setup-command.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {json, serveRoutes} from '../../support/server.ts';

const METADATA = '/.well-known/oauth-protected-resource';

/** Returns the subject of a diagnosis if nothing is saved. Values of `environment` came from variables, not flags. */
const subject = async (asked: FlagValues, environment: FlagValues = {}): Promise<Subject> => {
  const typed = new Set(Object.keys(asked));
  const flags = {...asked, ...environment};
  const terminal = {interactive: false};
  const program = '/nowhere/bin/setup.js';
  const invocation = {flags, typed, args: [], env: {HOME: '/nowhere'}, program, terminal, signal: noSignal};
  return (await subjectOf(invocation as unknown as Invocation, await temporaryPorts())).subject;
};

test.each(['https://sso.acme.example/realms/dev', 'https://acme.eu.auth0.com/'])(
  'an identity provider is looked at where the control plane says it is: %s',
  async issuer => {
    const controlPlane = await serveRoutes({[METADATA]: json({authorization_servers: [issuer]})});
    const found = await subject({'control-plane-url': controlPlane, 'base-domain': 'acme.localhost'});
    expect(found).toMatchObject({issuer, authUrl: issuer.replace(/\/$/, '')});
  },
);

test('what the person says comes before that', async () => {
  const controlPlane = await serveRoutes({[METADATA]: json({authorization_servers: ['https://other.example']})});
  const flags = {'control-plane-url': controlPlane, 'base-domain': 'acme.localhost'};
  const byAddress = await subject({...flags, 'auth-url': 'https://idp.acme.example'});
  expect(byAddress).toMatchObject({authUrl: 'https://idp.acme.example', issuer: 'https://idp.acme.example'});
  const byIssuer = await subject({...flags, issuer: 'https://idp.acme.example/'});
  expect(byIssuer).toMatchObject({authUrl: 'https://idp.acme.example', issuer: 'https://idp.acme.example/'});
});

test('it is where the platform would have it if nobody says', async () => {
  const controlPlane = await serveRoutes({});
  const found = await subject({'control-plane-url': controlPlane, 'base-domain': 'acme.localhost'});
  expect(found.issuer).toContain('idp.acme.localhost');
});

test('what remedies name is about the same platform', async () => {
  const controlPlane = await serveRoutes({});
  const found = await subject({'base-domain': 'acme.localhost', 'control-plane-url': controlPlane});
  const flags = `--base-domain acme.localhost --control-plane-url ${controlPlane}`;
  expect(commandLineOf(loginCommand(found))).toBe(`${SETUP} login ${flags}`);
  expect(commandLineOf(setUpCommand(found))).toBe(`${SETUP} ${flags}`);
  expect(commandLineOf(setUpCommand(found, 'control-plane-url'))).toBe(`${SETUP} --base-domain acme.localhost`);
  const redirect = 'http://127.0.0.1:55310/auth-callback';
  const others = {'redirect-uri': redirect, scopes: 'openid'};
  const elsewhere = await subject({'base-domain': 'acme.localhost', 'control-plane-url': controlPlane, ...others});
  expect(commandLineOf(setUpCommand(elsewhere))).toBe(`${SETUP} ${flags} --redirect-uri ${redirect} --scopes openid`);
  expect(commandLineOf(setUpCommand({...found, context: contextAt(controlPlane)}))).toBe(`${SETUP} --context acme`);
});

test('a client that the environment names is what a suggested command signs in', async () => {
  const controlPlane = await serveRoutes({});
  const asked = {'base-domain': 'acme.localhost', 'control-plane-url': controlPlane};
  const named = {'client-id': 'ci', 'client-secret': 'secret-of-ci'};
  const flags = `--base-domain acme.localhost --control-plane-url ${controlPlane}`;
  const byClient = '--sign-in service-account --client-id ci';
  const found = await subject(asked, named);
  expect(commandLineOf(loginCommand(found))).toBe(`${SETUP} login ${flags} ${byClient}`);
  expect(commandLineOf(setUpCommand(found))).toBe(`${SETUP} ${flags} ${byClient}`);
  const byFlag = await subject({...asked, 'client-credentials': true}, named);
  expect(commandLineOf(loginCommand(byFlag))).toBe(`${SETUP} login ${flags} ${byClient}`);
});
