import {describe, expect, test} from 'vitest';
import type {Credentials} from '../../../../src/domain/credentials.ts';
import type {Finding} from '../../../../src/domain/finding.ts';
import {Secret} from '../../../../src/domain/secret.ts';
import {ASK_FOR_ROLE, REFUSED_NEW} from '../../../../src/errors/shared-advice.ts';
import type {Learned} from '../../../../src/flows/diagnosis/check.ts';
import {mcpChecks} from '../../../../src/flows/diagnosis/checks/mcp-checks.ts';
import {bundled} from '../../../../src/platform/platforms.ts';
import {type Answer, mcpServer, sendJson} from '../../../bridge/support/mcp-server.ts';
import {contextAt} from '../../../support/context.ts';
import {temporaryPorts} from '../../../support/place.ts';
import {type Handler, json, serveRoutes, text} from '../../../support/server.ts';
import {rotating, tokenServer} from '../../../support/token-server.ts';
import {worded} from '../../../support/worded.ts';
import {look, type Situation} from './support/look.ts';

const grounds = {ground: 'health', token: 'token'};

describe('the challenge of a server', () => {
  const challenge = async (handler: Handler) => {
    const address = `${await serveRoutes({'/mcp': handler})}/mcp`;
    const [check] = mcpChecks('control-plane', address, grounds);
    if (!check) throw new Error('There is a challenge.');
    return {address, found: await look(check).catch(error => error)};
  };
  const answering =
    (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Handler =>
    (_request, response) =>
      response.writeHead(status, headers).end(body);

  test('asks who is there', async () => {
    const {found} = await challenge(answering(401, {'WWW-Authenticate': 'Bearer resource_metadata="x"'}));
    expect(found).toEqual({verdict: 'pass', saw: '401, Bearer resource_metadata="x"'});
  });

  test('is a request that every server understands', async () => {
    const seen: unknown[] = [];
    await challenge((request, response) => {
      const {accept, 'content-type': type} = request.headers;
      seen.push([request.method, type, accept]);
      response.writeHead(401).end();
    });
    expect(seen).toEqual([['POST', 'application/json', 'application/json, text/event-stream']]);
  });

  test.each([
    ['says nothing of how to sign in', answering(401), '401 without WWW-Authenticate'],
    ['lets anybody in', json({jsonrpc: '2.0', id: 1, result: {}}), '200 without a token'],
    ['refuses in a way of its own', text('no', 400), '400 without a token'],
    ['redirects nobody', answering(299), '299 without a token'],
  ])('is worth a word where it %s', async (_what, handler, saw) => {
    expect((await challenge(handler)).found).toMatchObject({verdict: 'warning', saw});
  });

  test.each([
    ['a page in its place', text('<html>', 200, 'text/html'), 'platform-mcp-failed'],
    ['a page that forbids', text('<html>', 403, 'text/html'), 'platform-mcp-failed'],
    ['a page of its own', text('<html>', 500, 'text/html'), 'platform-error'],
    ['that there is none', text('no', 404), 'platform-no-such-endpoint'],
    ['that it fails', text('no', 500), 'platform-error'],
    ['that it gets too many requests', text('no', 429), 'platform-busy'],
    ['that it is too busy, and for how long', answering(503, {'Retry-After': '3'}), 'platform-busy'],
    ['that it is elsewhere on this machine', answering(307, {Location: '/other'}), 'network-redirected'],
    ['that it is on another machine', answering(307, {Location: 'https://other.example'}), 'network-redirected'],
    ['nothing but a redirection', answering(399), 'network-redirected'],
  ])('is a failure where the server says %s', async (_what, handler, code) => {
    const {address, found} = await challenge(handler);
    expect(found).toMatchObject({code, about: {url: address}, message: expect.stringContaining(address)});
  });
});

describe('the tools of a server', () => {
  const listing =
    (...names: readonly string[]): Answer =>
    ({id}, response) =>
      sendJson(response, {jsonrpc: '2.0', id, result: {tools: names.map(name => ({name, inputSchema: {}}))}});
  const payload = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;
  const access = payload({aud: 'http://control-plane'});
  const [passed, failed]: readonly [Finding, Finding] = [
    {verdict: 'pass', saw: ''},
    {verdict: 'fail', saw: ''},
  ];

  const nobody = {method: 'browser', secrets: []} as const;

  type Setting = Situation & {
    readonly which?: 'control-plane' | 'observability';
    readonly takes?: string;
    readonly tools?: Answer;
  };

  const tools = async ({
    which = 'control-plane',
    takes = access,
    tools: answer = listing('a', 'b'),
    ...rest
  }: Setting) => {
    const server = await mcpServer({accepts: token => token === takes, answers: {'tools/list': answer}});
    const address = `${server.origin}/mcp`;
    const [, check] = mcpChecks(which, address, grounds);
    if (!check) throw new Error('There are tools.');
    const learned: Learned = rest.learned?.token ? rest.learned : {token: {accessToken: access}, ...rest.learned};
    return {check, server, address, found: await look(check, {...rest, learned}).catch(error => error)};
  };

  test('are counted', async () => {
    const {check, found} = await tools({});
    expect(found).toEqual({verdict: 'pass', saw: expect.stringMatching(/^2 tools, \d+ ms$/)});
    expect(check.needs).toEqual(['challenge-control-plane', 'token', 'claims']);
  });

  test('are not asked for by a key that nobody knows', async () => {
    const {found, server} = await tools({outcomes: {'signing-key': failed}});
    expect(found).toEqual({
      verdict: 'skipped',
      saw: 'skipped: needs “Signing key of the token”',
      because: 'signing-key',
    });
    expect(server.seen).toEqual([]);
  });

  test('that are none are the fault of a role that is missing, or worth a word', async () => {
    const none = listing();
    const {found} = await tools({tools: none, outcomes: {access: failed}});
    expect(found).toMatchObject({verdict: 'skipped', because: 'access'});
    const told = async (outcomes: Readonly<Record<string, Finding>>) => {
      const {found, address} = await tools({tools: none, outcomes});
      const {sentence = '', remedy} = found as {sentence?: string; remedy?: unknown};
      expect(found.verdict).toBe('warning');
      return [sentence.replace(address, 'It'), remedy];
    };
    expect(await told({access: passed})).toEqual([
      'It offers this account no tools.',
      'Ask the platform’s operators which tools this account may use.',
    ]);
    // The check of the entries and the last screen of the wizard give the same advice.
    expect(await told({})).toEqual([
      'It offers this account no tools. The account seems to have no role there.',
      ASK_FOR_ROLE,
    ]);
  });

  describe('of a server that refuses the token of a saved sign-in', () => {
    /** Sets up a saved sign-in at an identity provider that answers renewals in this way, as both servers see it. */
    const saved = async (answer: Parameters<typeof tokenServer>[0], more: Partial<Credentials> = {}) => {
      const {issuer, asked} = await tokenServer(answer);
      const ports = await temporaryPorts();
      const context = contextAt(issuer);
      const kept = {issuer, clientId: context.clientId, accessToken: access, refreshToken: 'refresh-0', ...more};
      await ports.credentials.replace(context, kept);
      return {asked, context, setting: {ports, context, learned: {token: {accessToken: access}}} as const};
    };

    test('are those that a renewed token meets, which is asked for once', async () => {
      const {asked, setting} = await saved(rotating);
      const learned: Learned = {...setting.learned};
      for (const which of ['control-plane', 'observability'] as const) {
        const {found} = await tools({...setting, learned, which, takes: 'access-1'});
        expect(found).toMatchObject({verdict: 'pass'});
      }
      expect(asked).toHaveLength(1);
      expect(learned).toMatchObject({token: {accessToken: 'access-1'}});
    });

    test('are a matter of its operators where it refuses the renewed one as well', async () => {
      const {asked, setting} = await saved(rotating);
      const learned: Learned = {...setting.learned};
      for (const which of ['control-plane', 'observability'] as const) {
        const {found, address} = await tools({...setting, learned, which, takes: 'another'});
        expect(found).toMatchObject({
          code: 'auth-token-refused',
          message: `${address} refuses a token whose contents look right, even after it was renewed.`,
        });
      }
      expect(asked).toHaveLength(1);
    });

    test('are had after a new sign-in where it cannot be renewed', async () => {
      const {setting} = await saved(() => ({status: 400, body: {error: 'invalid_grant'}}));
      const {found, address} = await tools({...setting, takes: 'another'});
      expect(worded(found)).toMatchObject({
        code: 'auth-token-refused',
        message: expect.stringMatching(
          / refuses the token, and this program could not get another one\. .* refused to renew the sign-in/,
        ),
        about: {url: address},
        remedy: 'Sign in again: npx setup login --context acme.',
      });
    });
  });

  test('of a server that refuses a token that nothing renews need another sign-in first', async () => {
    const {found, address} = await tools({takes: 'another'});
    expect(worded(found)).toMatchObject({
      ...{code: 'auth-token-refused', about: {url: address, isSignInOver: true}},
      message: `${address} refuses a token whose contents look right.`,
      remedy: expect.stringMatching(
        /^Sign in again: npx setup login\. If it is refused again, ask the platform’s operators to compare /,
      ),
    });
    const wanting = await tools({takes: 'another', learned: {resource: {resource: 'http://wanted'}}});
    expect(wanting.found.message).toMatch(/right\. The server expects the audience http:\/\/wanted\.$/);
  });

  test('of a server that refuses a token of a moment ago are for the operators: another would be no different', async () => {
    const iat = Math.floor(Date.now() / 1000);
    const learned = {token: {accessToken: payload({iss: 'http://acme.localhost', iat})}};
    const {found, address} = await tools({takes: 'another', learned});
    expect(worded(found)).toMatchObject({
      message: `${address} refuses a token whose contents look right.`,
      remedy: REFUSED_NEW,
    });
    expect(found.about).not.toHaveProperty('isSignInOver');
  });

  test.each([
    ['the client ID', {aud: 'platform-cli'}, /\/mcp refuses the token\. The token is for platform-cli, but the server/],
    ['nobody', {}, /\/mcp refuses the token\. The token names no audience, but the server identifies itself as http:/],
  ])('of a server that refuses a token for %s are told so, as a sign-in tells it', async (_whom, claims, message) => {
    const issuer = 'http://acme.localhost';
    const learned = {token: {accessToken: payload({iss: issuer, ...claims})}, resource: {resource: 'http://wanted'}};
    const {found} = await tools({takes: 'another', learned, subject: {unsaved: {...nobody, clientId: 'platform-cli'}}});
    expect(worded(found)).toMatchObject({
      code: 'auth-token-refused',
      message: expect.stringMatching(message),
      remedy: expect.stringMatching(
        /audience of the access tokens of platform-cli to http:\/\/wanted\. Then sign in again: npx setup\.$/,
      ),
    });
  });

  test('of a server that fails otherwise are that failure', async () => {
    const {found} = await tools({tools: (_message, response) => void response.writeHead(500).end()});
    expect(found).toMatchObject({code: 'platform-error'});
  });

  describe('of a server that takes tokens of its own only', () => {
    /** Starts an observer that names itself by its address, if at all. */
    const observer = async (isNamed = true) => {
      const observerUrl: string = await serveRoutes({
        [bundled.paths.protectedResource]: (request, response) =>
          json(isNamed ? {resource: `${observerUrl}/mcp`} : {})(request, response),
      });
      return {subject: {observerUrl}, which: 'observability', takes: 'another'} as const;
    };

    test.each([
      ['it is another than the token’s', {isNamed: true, isFor: false, other: passed}, true],
      ['the token is for it', {isNamed: true, isFor: true, other: passed}, false],
      ['it is none', {isNamed: false, isFor: false, other: passed}, false],
      ['the other server refuses the token too', {isNamed: true, isFor: false, other: failed}, false],
    ])('are told by the resource that it is: %s', async (_which, {isNamed, isFor, other}, isOwn) => {
      const setting = await observer(isNamed);
      const learned = isFor ? {token: {accessToken: payload({aud: `${setting.subject.observerUrl}/mcp`})}} : {};
      const {found, address} = await tools({...setting, learned, outcomes: {'mcp-control-plane': other}});
      const own = `${address} accepts only tokens issued for it, and this one is for another server.`;
      expect(found).toMatchObject({code: 'auth-token-refused', about: {url: address}});
      expect(found.message === own).toBe(isOwn);
      if (isOwn) expect(worded(found).remedy).toBe('Sign in again to get a token for it: npx setup login.');
    });

    test('are asked for with the one that is kept, or that the run has', async () => {
      const kept = await tools({...(await observer()), learned: {ownToken: {accessToken: 'another'}}});
      expect(kept.found.verdict).toBe('pass');
      const token = {account: 'ann', fingerprint: '', renewable: true, access: new Secret(access)};
      const unsaved = {
        method: 'browser',
        secrets: [],
        token,
        serverTokens: {observability: new Secret('another')},
      } as const;
      const {subject, ...rest} = await observer();
      expect((await tools({...rest, subject: {...subject, unsaved}})).found.verdict).toBe('pass');
      // A saved context has its own remedy.
      expect((await tools({...rest, subject: {...subject, unsaved}, context: {}})).found.code).toBe(
        'auth-token-refused',
      );
    });
  });
});
