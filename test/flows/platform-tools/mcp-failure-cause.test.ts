import {expect, test} from 'vitest';
import {SetupError} from '../../../src/errors/errors.ts';
import {REFUSED_NEW} from '../../../src/errors/shared-advice.ts';
import {mcpFailureCause} from '../../../src/flows/platform-tools/mcp-failure-cause.ts';
import {contextAt} from '../../support/context.ts';
import {noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {serve, text} from '../../support/server.ts';

/** Returns the cause of a web page at an address, if the control plane reports that it is healthy. */
const causeOfPage = async (pathOf: (origin: string) => string) => {
  const origin = await serve(text('OK'));
  const context = {...contextAt(origin), controlPlaneUrl: origin};
  const page = new SetupError('network-portal', 'It returned a web page.', {
    about: {url: pathOf(origin), isPage: true},
  });
  const asked = {context, server: 'control-plane', token: undefined} as const;
  return {page, cause: await mcpFailureCause(page, asked, await temporaryPorts(), noSignal)};
};

test.each(['/mcp', '/mcp?toolsets=build'])('a page at %s is none of the network’s', async path => {
  const {cause} = await causeOfPage(origin => `${origin}${path}`);
  expect(cause).toMatchObject({code: 'platform-mcp-failed', remedy: expect.stringContaining('operators')});
});

test('a page of the identity provider’s is told as what it is', async () => {
  const {page, cause} = await causeOfPage(() => 'https://idp.acme.example/oauth2/token');
  expect(cause).toBe(page);
});

test('a token that is refused a moment after its issue is for the operators, an older one for a new sign-in', async () => {
  const ports = await temporaryPorts();
  const refused = new SetupError('auth-token-refused', 'It refuses the token.', {remedy: 'Sign in again.'});
  const cause = (issuedAgo: number, lifetime = 3_600_000) => {
    const iat = Math.floor((ports.clock.now() - issuedAgo) / 1000);
    const token = `e30.${Buffer.from(JSON.stringify({iat, exp: iat + lifetime / 1000})).toString('base64url')}.c2ln`;
    const context = contextAt('http://idp.acme.localhost');
    return mcpFailureCause(refused, {context, server: 'control-plane', token}, ports, noSignal);
  };
  expect(await cause(10_000)).toMatchObject({code: 'auth-token-refused', remedy: REFUSED_NEW});
  // The identity provider may have changed its keys since.
  expect(await cause(300_000)).toBe(refused);
  // One that has expired since is replaced by a new sign-in, however short its life was.
  expect(await cause(30_000, 20_000)).toBe(refused);
});

test('a key that was replaced explains the refusal of a token that names its client alone', async () => {
  const ports = await temporaryPorts();
  const keys = {keys: [{kid: 'new'}]};
  const issuer: string = await serve((request, response) => {
    const document = request.url?.includes('well-known') ? {issuer, jwks_uri: `${issuer}/jwks`} : keys;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  const context = {...contextAt(issuer), issuer, clientId: 'acme-cli'};
  const url = 'http://api.acme.example/mcp';
  const refused = new SetupError('auth-token-refused', 'It refuses the token.', {about: {url}});
  const causeFor = (kid: string, aud: string) => {
    const [header, payload] = [
      {kid, alg: 'RS256'},
      {aud, iss: issuer},
    ].map(part => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const asked = {context, server: 'control-plane', token: `${header}.${payload}.c2ln`} as const;
    return mcpFailureCause(refused, asked, ports, noSignal);
  };
  expect(await causeFor('old', 'acme-cli')).toMatchObject({message: expect.stringContaining('no longer publishes')});
  expect(await causeFor('new', 'acme-cli')).toMatchObject({message: expect.stringContaining('identifies itself as')});
  // A token for another server is refused, whoever signed it.
  expect(await causeFor('old', 'http://other.example')).toMatchObject({code: 'auth-audience-wrong'});
});
