import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {generic} from '../../../src/assistants/catalogue/generic.ts';
import type {Context} from '../../../src/domain/context.ts';
import {entriesOf} from '../../../src/domain/mcp-servers.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {verifyEntries} from '../../../src/flows/assistants/verify-entries.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {checkConnection} from '../../../src/flows/platform-tools/check-connection.ts';
import {listComponents} from '../../../src/flows/platform-tools/list-components.ts';
import {accessToken} from '../../../src/flows/sign-in/kept/access-token.ts';
import {obtainToken} from '../../../src/flows/sign-in/obtain-token.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';
import {addressesOf, clientOf, deploymentOf, sandboxPlatform} from '../../support/platform.ts';
import {versionUnderTest} from '../../support/release.ts';
import {json, serve, serveRoutes, text} from '../../support/server.ts';

/** A person who is signed in to a sandbox, and an empty project. */
const signedIn = async () => {
  const ready = await sandboxPlatform();
  const directory = await temporaryDirectory();
  const [home, project] = [join(directory, 'home'), join(directory, 'project')];
  await mkdir(project);
  const ports = portsIn(home);
  const {clientId, secret} = clientOf(ready, 'client_secret_basic');
  const issuer = ready.authUrl;
  const clientSecret = new Secret(secret);
  const request = {issuer, clientId, method: 'mcp-client', secret: clientSecret} as const;
  const {result: token} = await collect(obtainToken(request, ports, noSignal));
  const tokens = {signIn: token.access};
  const deployment = deploymentOf(ready);
  const {evidence: _, ...rest} = deployment;
  const context: Context = {...rest, name: 'acme', platform: 'bundled', signIn: 'mcp-client', clientId};
  const place = {home, project, system: 'linux', env: {}} as const;
  const targets = {
    targets: [{assistant: generic, scope: 'project', method: 'header'}],
    place,
    entries: entriesOf('acme', deployment, bundled),
    tokens,
    own: {command: process.execPath, args: ['/nowhere/setup.js']},
    context: 'acme',
    withOwnFiles: true,
    replace: false,
    inGit: 'refuse',
  } as const;
  const plan = async () => (await collect(planFiles(targets, ports, noSignal))).result;
  const write = async (planned: Awaited<ReturnType<typeof plan>>) =>
    collect(writeFiles({...targets, plan: planned, signIn: {context, token, clientSecret}}, ports, noSignal));
  return {
    ready,
    ports,
    home,
    project,
    deployment,
    context,
    targets,
    plan,
    write,
    secret,
    signIn: {context, token, clientSecret},
    tokens,
    token: token.access.reveal(),
    file: join(project, 'mcp.json'),
  };
};

describe('the check', () => {
  test('reads the tools of both servers', async () => {
    const {ports, deployment, tokens} = await signedIn();
    const {result, events} = await collect(checkConnection({platform: bundled, deployment, tokens}, ports, noSignal));
    expect(result.servers.map(({server, tools}) => [server, tools > 5])).toEqual([
      ['control-plane', true],
      ['observability', true],
    ]);
    expect(events.filter(({type}) => type === 'health-checked')).toHaveLength(2);
    expect(events).toContainEqual(expect.objectContaining({type: 'token-checked', warnings: []}));
  });

  test('a refused token says what is odd about it', async () => {
    const {ports, deployment} = await signedIn();
    const foreign = [{alg: 'RS256'}, {iss: 'https://elsewhere.example', exp: 1}].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    const tokens = {signIn: new Secret(`${foreign.join('.')}.c2ln`)};
    const input = {platform: bundled, deployment, tokens};
    await expect(collect(checkConnection(input, ports, noSignal))).rejects.toMatchObject({
      code: 'auth-token-refused',
      message: expect.stringContaining('was issued by https://elsewhere.example'),
    });
  });

  test.each([
    ['403', text('no', 403), 'auth-permission-missing'],
    ['HTML', text('<html>', 200, 'text/html'), 'network-portal'],
    ['500', text('no', 500), 'platform-error'],
    ['JSON that is no message', json({hello: 'there'}), 'platform-invalid-answer'],
    ['404', text('no', 404), 'platform-no-such-endpoint'],
    ['an error of the protocol', json({jsonrpc: '2.0', id: 1, error: {code: 1, message: 'no'}}), 'platform-mcp-failed'],
  ])('an MCP server that answers %s', async (_name, handler, code) => {
    const {ports, deployment, tokens} = await signedIn();
    const controlPlaneUrl = await serveRoutes({'/health': text('OK'), '/mcp': handler});
    const error = await collect(
      checkConnection({platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens}, ports, noSignal),
    ).catch(caught => caught);
    expect(error).toMatchObject({code, message: expect.stringContaining(`${controlPlaneUrl}/mcp`)});
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
      checkConnection({platform: bundled, deployment: {...deployment, controlPlaneUrl}, tokens}, ports, noSignal),
    );
    await expect(run).rejects.toMatchObject({code: expect.any(String)});
    expect(arrived).toBe(0);
  });
});

describe('what is written', () => {
  test('is the platform’s own shape, and answers', async () => {
    const {ready, plan, write, file, token, targets, ports} = await signedIn();
    await write(await plan());
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      mcpServers: {
        'acme-control-plane': {
          url: `${ready.controlPlaneUrl}/mcp`,
          transport: {type: 'http', headers: {Authorization: `Bearer ${token}`}},
        },
        'acme-observability': {
          url: `${ready.observerUrl}/mcp`,
          transport: {type: 'http', headers: {Authorization: `Bearer ${token}`}},
        },
      },
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const {result} = await collect(verifyEntries(targets, ports, noSignal));
    expect(result.map(({server, label, path, tools}) => [server, label, path, tools > 5])).toEqual([
      ['control-plane', 'acme-control-plane', file, true],
      ['observability', 'acme-observability', file, true],
    ]);
  });

  test('puts the token into the credentials and the entries, and nowhere else', async () => {
    const {plan, write, home, project, token, secret} = await signedIn();
    // Twice, so that the journal has seen a file that held the token.
    for (const _ of [1, 2]) {
      await write(await plan());
      await writeFile(join(project, 'mcp.json'), `${await readFile(join(project, 'mcp.json'), 'utf8')}\n`);
    }
    const holding = async (text: string) => {
      const names = await readdir(join(home, '..'), {recursive: true, withFileTypes: true});
      const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
      const hits = await Promise.all(
        files.map(async path => ((await readFile(path, 'utf8')).includes(text) ? [path] : [])),
      );
      return hits.flat().toSorted();
    };
    expect(await holding(token)).toEqual([join(home, 'credentials.json'), join(project, 'mcp.json')]);
    expect(await holding(secret)).toEqual([join(home, 'credentials.json')]);
  });

  test('is shown before, with secrets replaced, and nothing is written by showing it', async () => {
    const {plan, project, home, token} = await signedIn();
    await writeFile(
      join(project, 'mcp.json'),
      '{\n  // mine\n  "mcpServers": {"other": {"token": "canary-secret"}}\n}\n',
    );
    const before = await readdir(project);
    const {files} = await plan();
    expect(files.map(({path, change}) => [path, change])).toEqual([
      [join(project, 'mcp.json'), 'changed'],
      [join(home, 'config.json'), 'new'],
      [join(home, 'credentials.json'), 'new'],
    ]);
    expect(files[0]?.diff).toContain('+    "acme-control-plane": {');
    expect(JSON.stringify(files)).not.toContain(token);
    expect(JSON.stringify(files)).not.toContain('canary');
    expect(await readdir(project)).toEqual(before);
  });

  test('a second time is unchanged, and the file is not touched', async () => {
    const {plan, write, file} = await signedIn();
    await write(await plan());
    const first = await stat(file);
    const planned = await plan();
    expect(planned.files[0]).toMatchObject({change: 'unchanged', diff: ''});
    await write(planned);
    expect((await stat(file)).ino).toBe(first.ino);
  });

  test('is refused when the file is not what was shown', async () => {
    const {plan, write, file} = await signedIn();
    const planned = await plan();
    await writeFile(file, '{"theirs": true}');
    await expect(write(planned)).rejects.toMatchObject({
      code: 'local-file-changed',
      message: expect.stringContaining(file),
    });
    expect(await readFile(file, 'utf8')).toBe('{"theirs": true}');
  });

  test('a file that does not parse is named before anything is written', async () => {
    const {plan, file, home} = await signedIn();
    await writeFile(file, '{"mcpServers": ');
    await expect(plan()).rejects.toMatchObject({code: 'local-file-invalid', message: expect.stringContaining(file)});
    expect(await readdir(home).catch(() => [])).toEqual([]);
  });

  test('in a git repository a token is refused, unless the person insists', async () => {
    const {targets, ports, project, plan, file} = await signedIn();
    await mkdir(join(project, '.git'));
    await expect(plan()).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: expect.stringContaining(file),
      about: {path: file},
    });
    const {events} = await collect(planFiles({...targets, inGit: 'write'}, ports, noSignal));
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('Do not commit it')});
    // What holds no token may be committed.
    const bridge = [{assistant: generic, scope: 'project', method: 'bridge'}] as const;
    expect((await collect(planFiles({...targets, targets: bridge}, ports, noSignal))).result.files[0]?.change).toBe(
      'new',
    );
  });

  test('in a git repository the file can be kept out of it', async () => {
    const {targets, ports, project, signIn, token} = await signedIn();
    await mkdir(join(project, '.git'));
    await writeFile(join(project, '.gitignore'), 'node_modules');
    const input = {...targets, inGit: 'ignore'} as const;
    const {result: planned} = await collect(planFiles(input, ports, noSignal));
    expect(planned.files.map(({path, change}) => [path, change]).slice(0, 2)).toEqual([
      [join(project, 'mcp.json'), 'new'],
      [join(project, '.gitignore'), 'changed'],
    ]);
    await collect(writeFiles({...input, plan: planned, signIn}, ports, noSignal));
    expect(await readFile(join(project, '.gitignore'), 'utf8')).toBe('node_modules\n/mcp.json\n');
    expect(await readFile(join(project, 'mcp.json'), 'utf8')).toContain(token);
    // Now it is ignored, so a second time there is nothing to refuse.
    expect((await collect(planFiles(targets, ports, noSignal))).result.files[0]?.change).toBe('unchanged');
  });

  test('an entry of the same name that leads elsewhere is replaced only when that is wanted', async () => {
    const {targets, ports, plan, file, ready} = await signedIn();
    const theirs = {mcpServers: {'acme-observability': {command: 'theirs', args: []}}};
    await writeFile(file, JSON.stringify(theirs));
    await expect(plan()).rejects.toMatchObject({
      code: 'local-entry-exists',
      message: expect.stringContaining('“acme-observability”'),
    });
    const {result} = await collect(planFiles({...targets, replace: true}, ports, noSignal));
    expect(result.files[0]?.diff).toContain(ready.observerUrl);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(theirs);
  });

  test('an entry that somebody changed is not called proof', async () => {
    const {plan, write, file, targets, ports} = await signedIn();
    await write(await plan());
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('Bearer ', 'Bearer x'));
    await expect(collect(verifyEntries(targets, ports, noSignal))).rejects.toMatchObject({code: 'auth-token-refused'});
    await writeFile(file, '{}');
    await expect(collect(verifyEntries(targets, ports, noSignal))).rejects.toMatchObject({code: 'local-file-changed'});
  });
});

describe('an access token', () => {
  test('that is still good comes without network', async () => {
    const {plan, write, context, home, token} = await signedIn();
    await write(await plan());
    const {result, events} = await collect(accessToken(context, portsIn(home), noSignal));
    expect(result.accessToken).toBe(token);
    expect(events).toEqual([]);
  });

  test('that has ended is asked for once, however many ask', async () => {
    const {plan, write, context, home, token} = await signedIn();
    await write(await plan());
    await portsIn(home).credentials.update(context, async current => current && {...current, expiresAt: 1});
    const runs = await Promise.all(
      Array.from({length: 5}, () => collect(accessToken(context, portsIn(home), noSignal))),
    );
    const tokens = new Set(runs.map(({result}) => result.accessToken));
    expect(tokens.size).toBe(1);
    expect(tokens).not.toContain(token);
    const requests = runs.flatMap(({events}) =>
      events.filter(event => event.type === 'call-started' && event.method === 'POST'),
    );
    expect(requests).toHaveLength(1);
  });

  test('without anything kept needs a sign-in', async () => {
    const {context, home} = await signedIn();
    await expect(collect(accessToken(context, portsIn(home), noSignal))).rejects.toMatchObject({
      code: 'auth-sign-in-required',
    });
  });

  test('that cannot be renewed just now keeps what there is', async () => {
    const {plan, write, context, home} = await signedIn();
    await write(await plan());
    const gone = await serve(text('no', 503));
    const {credentials} = portsIn(home);
    const moved = {...context, issuer: gone};
    await credentials.update(moved, async () => ({...moved, clientSecret: 's', accessToken: 'old', expiresAt: 1}));
    await expect(collect(accessToken(moved, portsIn(home), noSignal))).rejects.toMatchObject({code: 'platform-error'});
    expect(await credentials.get(moved)).toMatchObject({clientSecret: 's', accessToken: 'old'});
  });
});

describe('the components', () => {
  test('are listed with the server’s version', async () => {
    const {ready, ports, token} = await signedIn();
    const {controlPlaneUrl} = addressesOf(ready);
    const {result} = await collect(listComponents({platform: bundled, controlPlaneUrl, token}, ports, noSignal));
    expect(result.serverVersion).toBe(versionUnderTest);
    expect(result.components.length).toBeGreaterThan(0);
    expect(result.components[0]).toMatchObject({
      namespace: expect.any(String),
      project: expect.any(String),
      name: expect.any(String),
    });
  });

  test('are not listed with a token that is none', async () => {
    const {ready, ports} = await signedIn();
    const run = collect(
      listComponents({platform: bundled, controlPlaneUrl: ready.controlPlaneUrl, token: 'x'}, ports, noSignal),
    );
    await expect(run).rejects.toMatchObject({code: 'auth-token-refused'});
  });
});
