import {text as readText} from 'node:stream/consumers';
import {describe, expect, test} from 'vitest';
import {Secret} from '../../../src/domain/secret.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {checkConnection} from '../../../src/flows/platform-tools/check-connection.ts';
import {ROLE_TIME} from '../../../src/flows/time-limits.ts';
import {bundled} from '../../../src/platform/platforms.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {temporaryPorts} from '../../support/place.ts';
import {type Handler, json, serve, serveRoutes, text} from '../../support/server.ts';
import {signedIn} from '../support/signed-in.ts';

describe('the check', () => {
  test('reads the tools of both servers', async () => {
    const {ports, deployment, tokens} = await signedIn();
    const {result, events} = await collect(checkConnection, {platform: bundled, deployment, tokens}, ports);
    expect(result.servers.map(({server, tools}) => [server, tools > 5])).toEqual([
      ['control-plane', true],
      ['observability', true],
    ]);
    expect(events.filter(({type}) => type === 'health-checked')).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-checked', warnings: []}));
  });

  test('looks at the identity provider where it is asked to, and goes on without it', async () => {
    const {ports, deployment, tokens} = await signedIn();
    const input = {platform: bundled, deployment, tokens, asksProvider: true};
    const {result, events} = await collect(checkConnection, input, ports);
    expect(result).not.toHaveProperty('providerFault');
    expect(events).toContainEqual(expect.objectContaining({type: 'health-checked', service: 'identity-provider'}));

    const issuer = await serve((_request, response) => response.destroy());
    const gone = {...input, deployment: {...deployment, issuer}};
    const told = await collect(checkConnection, gone, ports);
    expect(told.result).toMatchObject({
      servers: result.servers,
      providerFault: {message: expect.stringContaining(issuer), remedy: expect.any(String)},
    });
    expect(told.events).toContainEqual({type: 'warning', message: told.result.providerFault?.message});
  });

  test('a refused token says what is odd about it', async () => {
    const {ports, deployment} = await signedIn();
    const foreign = [{alg: 'RS256'}, {iss: 'https://elsewhere.example', exp: 1}].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const tokens = {signIn: new Secret(`${foreign.join('.')}.c2ln`)};
    const input = {platform: bundled, deployment, tokens};
    await expect(collect(checkConnection, input, ports)).rejects.toMatchObject({
      code: 'auth-token-refused',
      message: expect.stringContaining('was issued by https://elsewhere.example'),
    });
  });

  test.each([
    ['403', text('no', 403), 'auth-permission-missing'],
    ['HTML although its service answers', text('<html>', 200, 'text/html'), 'platform-mcp-failed'],
    ['500', text('no', 500), 'platform-error'],
    ['JSON that is no message', json({hello: 'there'}), 'platform-invalid-answer'],
    ['404', text('no', 404), 'platform-no-such-endpoint'],
    ['an error of the protocol', json({jsonrpc: '2.0', id: 1, error: {code: 1, message: 'no'}}), 'platform-mcp-failed'],
  ])('an MCP server that answers %s', async (_name, handler, code) => {
    const {ports, deployment, tokens} = await signedIn();
    const controlPlaneUrl = await serveRoutes({'/health': text('OK'), '/mcp': handler});
    const error = await collect(
      checkConnection,
      {platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens},
      ports,
    ).catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining(`${controlPlaneUrl}/mcp`)});
  });

  test('a page in the place of everything is the network’s, and not the MCP server’s', async () => {
    const {ports, deployment, tokens} = await signedIn();
    const page = text('<html>', 200, 'text/html');
    const controlPlaneUrl = await serveRoutes({'/health': page, '/mcp': page});
    const input = {platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens};
    await expect(collect(checkConnection, input, ports)).rejects.toMatchObject({code: 'network-portal'});
  });

  test('a server that demands a scope which the token lacks: both are named', async () => {
    const {ports, deployment, tokens} = await signedIn();
    const denied: Handler = (_request, response) => {
      response.writeHead(403, {'www-authenticate': 'Bearer error="insufficient_scope", scope="tools:call"'}).end();
    };
    const controlPlaneUrl = await serveRoutes({'/health': text('OK'), '/mcp': denied});
    const input = {platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens};
    await expect(collect(checkConnection, input, ports)).rejects.toMatchObject({
      code: 'auth-scope-missing',
      message: `${controlPlaneUrl}/mcp requires the scope tools:call, but the token names none (403).`,
      about: {url: `${controlPlaneUrl}/mcp`, toRequest: ['tools:call']},
    });
  });

  test('an MCP server that redirects does not get the token sent elsewhere', async () => {
    const {ports, deployment, tokens} = await signedIn();
    let arrived = 0;
    const thief = await serve((_request, response) => {
      arrived += 1;
      response.end();
    });
    const controlPlaneUrl = await serveRoutes({
      '/health': text('OK'),
      '/mcp': (_request, response) => response.writeHead(307, {Location: thief}).end(),
    });
    const run = collect(
      checkConnection,
      {platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens},
      ports,
    );
    await expect(run).rejects.toMatchObject({code: expect.any(String)});
    expect(arrived).toBe(0);
  });
});

describe('at a control plane that has roles', () => {
  const user = {type: 'user', entitlement_claim: 'groups', entitlement_values: ['cooks']};
  const allowing = (...paths: readonly string[]) =>
    json({user, capabilities: {see: {allowed: paths.map(path => ({path}))}}});
  const [all, nothing] = [allowing('*'), allowing()];

  /** A minimal MCP server with one tool. */
  const oneTool: Handler = async (request, response) => {
    if (!request.headers.authorization?.startsWith('Bearer e30.')) return text('who?', 401)(request, response);
    const {id, method} = request.method === 'POST' ? JSON.parse(await readText(request)) : {};
    if (id === undefined) return void response.writeHead(202).end();
    const tools = [{name: 'list_components', inputSchema: {}}];
    const result = method === 'initialize' ? {protocolVersion: '2025-06-18', capabilities: {}} : {tools};
    json({jsonrpc: '2.0', id, result})(request, response);
  };

  type Situation = {
    /** Answers about the account's access, one after the other. The last one is repeated. */
    readonly profiles?: readonly Handler[];
    readonly health?: Handler;
    readonly mcp?: Handler;
    readonly version?: string;
    readonly claims?: object;
    readonly role?: 'wait' | 'without';
    readonly asksVersion?: boolean;
    readonly signal?: AbortSignal;
    /** How far the clock here is ahead of the server's, in milliseconds. */
    readonly ahead?: number;
  };

  /** Runs the check as a signed-in account, on a clock that only sleep advances. Records the requests in order. */
  const check = async (situation: Situation = {}) => {
    const {
      profiles = [all],
      health = text('OK'),
      mcp = oneTool,
      claims,
      role,
      asksVersion = false,
      signal = noSignal,
      ahead = 0,
    } = situation;
    const {version = '1.2.3'} = situation;
    let now = 1_000_000;
    const asked: string[] = [];
    const noting =
      (what: string, handler: (count: number) => Handler): Handler =>
      (request, response) => {
        asked.push(what);
        handler(asked.filter(one => one === what).length)(request, response);
      };
    const origin = await serveRoutes({
      [bundled.paths.health]: (request, response) => {
        response.setHeader('Date', new Date(now - ahead).toUTCString());
        health(request, response);
      },
      [bundled.paths.version]: noting('version', () => json({version: '1.1.4'})),
      [bundled.paths.profile]: noting('profile', count => profiles[Math.min(count, profiles.length) - 1] ?? all),
      [bundled.paths.mcp]: noting('mcp', () => mcp),
    });
    const ports = await temporaryPorts();
    const sleep = async (ms: number) => {
      now += ms;
    };
    const payload = Buffer.from(JSON.stringify({iss: origin, ...claims})).toString('base64url');
    const input = {
      platform: bundled,
      deployment: {
        ...({platform: 'bundled', baseDomain: 'acme.localhost', layout: 'single', evidence: ''} as const),
        ...{controlPlaneUrl: origin, authUrl: origin, issuer: origin, version},
      },
      tokens: {signIn: new Secret(`e30.${payload}.c2ln`)},
      ...(role ? {role} : {}),
      asksVersion,
    } as const;
    const clock = {...ports.clock, now: () => now, sleep};
    const events: FlowEvent[] = [];
    const tell = (event: FlowEvent) => void events.push(event);
    const run = () => checkConnection(input, {ports: {...ports, clock}, signal, tell});
    const of = (type: FlowEvent['type']) => events.filter(event => event.type === type);
    return {run, of, asked, origin, now: () => now};
  };

  test.each([-120_000, 120_000])(
    'a clock that the diagnosis calls wrong is a failure here as well: %i ms',
    async ahead => {
      const {run} = await check({ahead});
      await expect(run()).rejects.toMatchObject({
        code: 'auth-clock',
        message: expect.stringContaining(`clock is 2 min ${ahead > 0 ? 'fast' : 'slow'}`),
      });
      await expect((await check({ahead: ahead / 4})).run()).resolves.toBeDefined();
    },
  );

  test('asks for the release where it counts and nobody has said it', async () => {
    const saved = await check({version: '', asksVersion: true});
    expect(await saved.run()).toMatchObject({serverVersion: '1.1.4'});
    const known = await check({asksVersion: true});
    expect(await known.run()).toMatchObject({serverVersion: '1.2.3'});
    const without = await check({version: ''});
    await without.run();
    expect([saved, known, without].map(({asked}) => asked.includes('version'))).toEqual([true, false, false]);
  });

  test('says what the account may do, which servers answered, and the release', async () => {
    const {run, of, origin} = await check();
    const url = `${origin}/mcp`;
    expect(await run()).toEqual({
      servers: [{server: 'control-plane', url, tools: 1, tokens: 11, reading: {tools: 1, tokens: 11}}],
      serverVersion: '1.2.3',
      access: expect.any(String),
    });
    expect(of('server-checked')).toEqual([
      {type: 'server-checked', server: 'control-plane', url, tools: 1, tokens: 11, ms: expect.any(Number)},
    ]);
    expect(of('token-checked')).toEqual([{type: 'token-checked', issuer: origin, warnings: []}]);
    expect(of('health-checked')).toMatchObject([{service: 'control-plane', url: `${origin}${bundled.paths.health}`}]);
  });

  test('does not say what it does not know', async () => {
    const {run} = await check({profiles: [text('no such path', 404)]});
    expect(await run()).not.toHaveProperty('access');
    const unnamed = await check({version: ''});
    expect(await unnamed.run()).not.toHaveProperty('serverVersion');
  });

  test('an account without a role is a failure', async () => {
    const {run, of} = await check({profiles: [nothing]});
    await expect(run()).rejects.toMatchObject({code: 'auth-no-role'});
    expect(of('role-awaited')).toEqual([]);
  });

  test('a person may go on without a role', async () => {
    const {run, of} = await check({profiles: [nothing], role: 'without'});
    const {withoutRole, access} = await run();
    expect(withoutRole).toEqual({
      message: expect.stringContaining('cooks'),
      remedy: expect.stringMatching(/\S/),
      block: expect.stringContaining('kubectl apply'),
    });
    expect(access).toMatch(/\S/);
    expect(of('warning')).toEqual([{type: 'warning', message: withoutRole?.message}]);
  });

  test('a role is waited for, and the tools are asked for after it', async () => {
    const {run, of, asked} = await check({profiles: [nothing, nothing, all], role: 'wait'});
    const report = await run();
    expect(report).not.toHaveProperty('withoutRole');
    const until = 1_000_000 + ROLE_TIME;
    expect(of('role-awaited')).toEqual([
      {
        ...{type: 'role-awaited', until},
        missing: expect.objectContaining({block: expect.stringContaining('kubectl apply')}),
      },
    ]);
    expect(asked.slice(0, 4)).toEqual(['profile', 'profile', 'profile', 'mcp']);
  });

  test('a role that does not come is not waited for any longer', async () => {
    const {run, now} = await check({profiles: [nothing], role: 'wait'});
    await expect(run()).rejects.toMatchObject({code: 'auth-no-role'});
    expect(now()).toBe(1_000_000 + ROLE_TIME);
  });

  test.each([
    ['health', {health: text('no', 503)}, 'platform-unhealthy'],
    ['a server', {mcp: text('no', 500)}, 'platform-error'],
    ['both, of which the health is told', {health: text('no', 503), mcp: text('no', 500)}, 'platform-unhealthy'],
  ])('a failure of %s is one', async (_what, situation, code) => {
    const {run} = await check(situation);
    await expect(run()).rejects.toMatchObject({code});
  });

  test('what is odd about a token is told, and is the reason only where it is refused', async () => {
    const claims = {exp: 1};
    const odd = /has expired already/;
    const well = await check({claims});
    await well.run();
    expect(well.of('warning')).toEqual([{type: 'warning', message: expect.stringMatching(odd)}]);
    const refused = await check({claims, mcp: text('no', 401)});
    const {message, about} = await refused.run().catch(error => error);
    expect(message).toMatch(odd);
    expect(about).toMatchObject({url: expect.stringContaining(refused.origin)});
    const broken = await check({claims, mcp: text('no', 500)});
    expect((await broken.run().catch(error => error)).message).not.toMatch(odd);
  });
});
