import {chmod, mkdir, readdir, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Place} from '../../../src/assistants/place.ts';
import type {Context} from '../../../src/domain/context.ts';
import type {Method, Scope} from '../../../src/domain/entry.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {disconnectAssistants} from '../../../src/flows/assistants/disconnect-assistants.ts';
import {findAssistants} from '../../../src/flows/assistants/find-assistants.ts';
import {inspectEntries} from '../../../src/flows/assistants/inspect-entries.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import type {Machine, Subject} from '../../../src/flows/diagnosis/check.ts';
import {applyFix} from '../../../src/flows/diagnosis/fixes.ts';
import {signOut} from '../../../src/flows/sign-out/sign-out.ts';
import {undoWrites} from '../../../src/flows/undo/undo-writes.ts';
import {bundled} from '../../../src/platform/bundled.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {portsIn, temporaryDirectory} from '../../support/place.ts';

const jwt = (exp: number) =>
  ['{"alg":"none"}', JSON.stringify({exp}), 'signature-of-it']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.');

const context: Context = {
  name: 'acme',
  platform: 'bundled',
  baseDomain: 'acme.localhost',
  layout: 'single',
  controlPlaneUrl: 'http://api.acme.localhost:8080',
  observerUrl: 'http://observer.acme.localhost:8080',
  authUrl: 'http://idp.acme.localhost:8080',
  issuer: 'http://idp.acme.localhost:8080',
  signIn: 'browser',
  clientId: 'cli',
};

const entries = [
  {server: 'control-plane', label: 'acme-control-plane', url: 'http://api.acme.localhost:8080/mcp'},
  {server: 'observability', label: 'acme-observability', url: 'http://observer.acme.localhost:8080/mcp'},
] as const;

/** A machine on which somebody is signed in, and an empty home of theirs. */
const machine = async (env: Readonly<Record<string, string>> = {}) => {
  const directory = await temporaryDirectory();
  const [setupHome, home, project] = ['setup', 'home', 'project'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([mkdir(home), mkdir(project)]);
  const ports = portsIn(setupHome, env);
  const token = jwt(4_000_000_000);
  await ports.config.saveContext(context);
  await ports.credentials.replace(context, {issuer: context.issuer, clientId: 'cli', accessToken: token});
  const place: Place = {home, project, system: 'linux', env: {}};
  const input = (chosen: readonly (readonly [string, Scope, Method])[]) => ({
    targets: chosen.map(([id, scope, method]) => {
      const assistant = allAssistants.find(one => one.id === id);
      if (!assistant) throw new Error(`There is no ${id}.`);
      return {assistant, scope, method};
    }),
    place,
    entries,
    tokens: {signIn: new Secret(token)},
    own: {command: '/usr/bin/node', args: ['/opt/setup.js'], home: setupHome},
    context: 'acme',
    withOwnFiles: false,
    replace: false,
    inGit: 'refuse' as const,
  });
  const connect = async (...chosen: readonly (readonly [string, Scope, Method])[]) => {
    const {result: plan} = await collect(planFiles(input(chosen), ports, noSignal));
    await collect(writeFiles({...input(chosen), plan}, ports, noSignal));
    return plan;
  };
  const saved = async () => (await ports.config.read()).contexts[0] ?? context;
  const disconnect = async (ids: readonly string[] = []) => {
    const chosen = ({assistant}: {assistant: string}) => ids.length === 0 || ids.includes(assistant);
    const flow = disconnectAssistants({context: await saved(), assistants: allAssistants, chosen}, ports, noSignal);
    return (await collect(flow)).result;
  };
  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(home, path)), {recursive: true});
    await writeFile(join(home, path), text);
    return join(home, path);
  };
  return {ports, home, project, place, token, connect, disconnect, saved, input, put};
};

describe('looking for assistants', () => {
  const urls = ['https://api.acme.example/mcp'];
  const program = async (directory: string, name: string, output: string) => {
    const path = join(directory, name);
    await writeFile(path, `#!/bin/sh\necho '${output}'\n`);
    await chmod(path, 0o755);
  };

  test('by their traces, by their command with its version, and by what they can do', async () => {
    const bin = await temporaryDirectory();
    await program(bin, 'claude', '2.1.328 (Claude Code)');
    await program(bin, 'codex', 'codex-cli 0.147.0');
    const {ports, put, place, home} = await machine({PATH: `${bin}:/bin:/usr/bin`});
    await put('.cursor/mcp.json', '{}');
    const {result, events} = await collect(
      findAssistants({assistants: allAssistants, place, commands: true, urls}, ports, noSignal),
    );
    const found = result.filter(({installed}) => installed);
    expect(found.map(({id, version, methods}) => [id, version, methods[0]])).toEqual([
      ['claude-code', '2.1.328', 'helper'],
      ['cursor', undefined, 'bridge'],
      ['codex-cli', '0.147.0', 'bridge'],
    ]);
    expect(events).toContainEqual({
      type: 'assistant-found',
      id: 'claude-code',
      name: 'Claude Code',
      version: '2.1.328',
    });
    expect(found[1]?.paths.user).toBe(join(home, '.cursor', 'mcp.json'));
  });

  test('a client that does not find names below localhost gets the bridge, which does', async () => {
    const bin = await temporaryDirectory();
    await program(bin, 'claude', '2.1.300 (Claude Code)');
    await program(bin, 'codex', 'codex-cli 0.169.0');
    const {ports, place} = await machine({PATH: `${bin}:/bin:/usr/bin`});
    const best = async (url: string) => {
      const flow = findAssistants({assistants: allAssistants, place, commands: true, urls: [url]}, ports, noSignal);
      const {result} = await collect(flow);
      return result.filter(({installed}) => installed).map(({id, methods}) => [id, methods[0]]);
    };
    for (const host of ['api.acme.example', 'localhost:8080', '127.0.0.1:8080']) {
      expect(await best(`http://${host}/mcp`)).toEqual([
        ['claude-code', 'helper'],
        ['codex-cli', 'helper'],
      ]);
    }
    expect(await best('http://api.acme.localhost:8080/mcp')).toEqual([
      ['claude-code', 'helper'],
      ['codex-cli', 'bridge'],
    ]);
  });

  test('asks no program when that is not wanted', async () => {
    const bin = await temporaryDirectory();
    await program(bin, 'claude', '2.1.328');
    const {ports, place} = await machine({PATH: bin});
    const {result} = await collect(
      findAssistants({assistants: allAssistants, place, commands: false, urls}, ports, noSignal),
    );
    expect(result.filter(({installed}) => installed)).toEqual([]);
  });
});

describe('connecting', () => {
  test('each in its own dialect, by its own method, without a token where none is needed', async () => {
    const {connect, home, token, saved} = await machine();
    await connect(['claude-code', 'user', 'helper'], ['codex-cli', 'user', 'bridge'], ['cursor', 'user', 'header']);
    const claude = await readFile(join(home, '.claude.json'), 'utf8');
    expect(JSON.parse(claude).mcpServers['acme-control-plane']).toEqual({
      type: 'http',
      url: 'http://api.acme.localhost:8080/mcp',
      headersHelper: expect.stringMatching(
        /^\/usr\/bin\/node \/opt\/setup\.js token --mcp-header --context acme --setup-home \S+$/,
      ),
    });
    const codex = await readFile(join(home, '.codex', 'config.toml'), 'utf8');
    expect(codex).toContain('[mcp_servers.acme-observability]');
    expect(codex).toMatch(/"mcp",\s*"serve",\s*"observability",\s*"--context",\s*"acme"/);
    const cursor = JSON.parse(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8'));
    expect(cursor.mcpServers['acme-control-plane'].headers).toEqual({Authorization: `Bearer ${token}`});
    expect(claude + codex).not.toContain(token);
    expect(
      (await saved()).entries?.map(({assistant, scope, method, names}) => [assistant, scope, method, names]),
    ).toEqual([
      ['claude-code', 'user', 'helper', ['acme-control-plane', 'acme-observability']],
      ['codex-cli', 'user', 'bridge', ['acme-control-plane', 'acme-observability']],
      ['cursor', 'user', 'header', ['acme-control-plane', 'acme-observability']],
    ]);
  });

  test('two that share a file share its entries, through the bridge where one knows no helper', async () => {
    const {connect, project, disconnect} = await machine();
    const plan = await connect(['claude-code', 'project', 'helper'], ['copilot-cli', 'project', 'bridge']);
    expect(plan.files.map(({path, summary}) => [path, summary])).toEqual([
      [join(project, '.mcp.json'), '2 entries for Claude Code, GitHub Copilot CLI, by the bridge'],
    ]);
    const text = await readFile(join(project, '.mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers['acme-control-plane']).toMatchObject({type: 'stdio', command: '/usr/bin/node'});
    // The first that goes leaves the entries to the other.
    expect(await disconnect(['claude-code'])).toMatchObject([{outcome: 'shared'}]);
    expect(await readFile(join(project, '.mcp.json'), 'utf8')).toBe(text);
    expect(await disconnect(['copilot-cli'])).toMatchObject([{outcome: 'removed'}]);
    expect(await readdir(project)).toEqual([]);
  });

  test('a name that the client does not take is written in letters that it does', async () => {
    const {connect, input, ports, home} = await machine();
    await connect(['gemini-cli', 'user', 'bridge']);
    expect(await readFile(join(home, '.gemini', 'settings.json'), 'utf8')).toContain('"acme-control-plane"');
    const dotted = {
      ...input([['claude-code', 'user', 'bridge']]),
      entries: [{...entries[0], label: 'acme.corp-control-plane'}],
    };
    const {result: plan} = await collect(planFiles(dotted, ports, noSignal));
    expect(plan.entries[0]?.names).toEqual(['acme-corp-control-plane']);
  });

  test('only the observer comes with a warning', async () => {
    const {input, ports} = await machine();
    const only = {...input([['cursor', 'user', 'bridge']]), entries: [entries[1]]};
    const {events} = await collect(planFiles(only, ports, noSignal));
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('UUIDs')});
  });

  test('the same again changes nothing, and another method changes only the entries', async () => {
    const {connect, put} = await machine();
    const path = await put(
      '.cursor/mcp.json',
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": {"url": "http://x/"}\n\t}\n}',
    );
    await connect(['cursor', 'user', 'bridge']);
    const first = await stat(path);
    expect((await connect(['cursor', 'user', 'bridge'])).files[0]).toMatchObject({change: 'unchanged'});
    expect((await stat(path)).ino).toBe(first.ino);
    await connect(['cursor', 'user', 'header']);
    expect(await readFile(path, 'utf8')).toMatch(
      /^\{\n\t\/\/ mine\n\t"mcpServers": \{\n\t\t"other": \{"url": "http:\/\/x\/"\}/,
    );
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

test('two setups at once lose nothing of each other: who comes second is told to look again', async () => {
  const {input, ports, home} = await machine();
  const one = input([['cursor', 'user', 'bridge']]);
  const other = {...one, entries: entries.map(entry => ({...entry, label: entry.label.replace('acme', 'beta')}))};
  const plans = await Promise.all([one, other].map(each => collect(planFiles(each, ports, noSignal))));
  const writes = [one, other].map((each, index) =>
    collect(writeFiles({...each, plan: plans[index]?.result ?? {files: [], entries: []}}, ports, noSignal)),
  );
  const settled = await Promise.allSettled(writes);
  const refused = settled.filter(({status}) => status === 'rejected');
  expect(refused).toMatchObject([{reason: {code: 'local-file-changed'}}]);
  const {mcpServers} = JSON.parse(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8'));
  expect(Object.keys(mcpServers)).toHaveLength(2);
});

test('disconnecting changes nothing at all when one of the files cannot be edited', async () => {
  const {put, connect, disconnect, saved, ports} = await machine();
  const [cursor, windsurf] = [await put('.cursor/mcp.json', '{}'), '.codeium/windsurf/mcp_config.json'];
  await connect(['cursor', 'user', 'bridge'], ['windsurf', 'user', 'bridge']);
  const [before, known, writes] = [await readFile(cursor, 'utf8'), await saved(), await ports.journal.list()];
  const broken = await put(windsurf, '{"mcpServers": ');
  await expect(disconnect()).rejects.toMatchObject({
    code: 'local-file-invalid',
    message: expect.stringContaining(broken),
  });
  expect([await readFile(cursor, 'utf8'), await saved(), await ports.journal.list()]).toEqual([before, known, writes]);
});

describe('disconnecting gives back the same bytes', () => {
  const files = [
    ['claude-code', '.claude.json', '{"numStartups": 3, "mcpServers": {}}'],
    ['cursor', '.cursor/mcp.json', '{\r\n  "mcpServers": {\r\n    "a": {"command": "x"}, // keep\r\n  },\r\n}\r\n'],
    ['vscode', '.config/Code/User/mcp.json', '\uFEFF{\n    "inputs": []\n}'],
    ['codex-cli', '.codex/config.toml', '# mine\nmodel = "x"\n\n[mcp_servers.other] # here\ncommand = "y"'],
    ['continue', '.continue/config.yaml', 'name: mine # yes\nmodels: []\n'],
    ['goose', '.config/goose/config.yaml', 'extensions:\n  dev: {type: builtin, enabled: true}\n'],
    ['zed', '.config/zed/settings.json', '// Zed\n{\n  "theme": "One",\n}\n'],
  ] as const;

  test.each(files)('of %s', async (id, path, text) => {
    const {put, connect, disconnect, saved} = await machine();
    const file = await put(path, text);
    await connect([id, 'user', 'bridge']);
    expect(await readFile(file, 'utf8')).not.toBe(text);
    // Renewed in between, as it is after a sign-in.
    await connect([id, 'user', 'header']);
    expect(await disconnect()).toMatchObject([{path: file, outcome: 'removed'}]);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await saved()).entries).toEqual([]);
  });

  test.each(files)('and of none: the file of %s is not left behind', async (id, path) => {
    const {home, connect, disconnect, ports} = await machine();
    await connect([id, 'user', 'bridge']);
    const text = await readFile(join(home, path), 'utf8');
    await disconnect();
    await expect(readFile(join(home, path))).rejects.toThrow('ENOENT');
    // And that can be undone as well.
    await collect(undoWrites(1, ports, noSignal));
    await expect(readFile(join(home, path), 'utf8')).rejects.toThrow('ENOENT');
    expect(text).toContain('acme-control-plane');
  });

  test.each(files)('of %s by undo, also after a sign-out', async (id, path, text) => {
    const {put, connect, saved, ports, place} = await machine();
    const file = await put(path, text);
    await connect([id, 'user', 'header']);
    await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
    await collect(undoWrites(1, ports, noSignal));
    expect(await readFile(file, 'utf8')).toBe(text);
  });

  test('what the client or the person wrote since stays', async () => {
    const {put, connect, disconnect} = await machine();
    const file = await put('.cursor/mcp.json', '{}');
    await connect(['cursor', 'user', 'bridge']);
    const changed = JSON.parse(await readFile(file, 'utf8'));
    changed.mcpServers.mine = {command: 'x'};
    await writeFile(file, JSON.stringify(changed));
    await disconnect();
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({mcpServers: {mine: {command: 'x'}}});
  });

  test('entries that are gone already are no failure', async () => {
    const {home, connect, disconnect} = await machine();
    await connect(['cursor', 'user', 'bridge']);
    await rm(join(home, '.cursor'), {recursive: true});
    expect(await disconnect()).toMatchObject([{assistant: 'Cursor', outcome: 'absent'}]);
  });
});

test('how each entry stands is read from the files, without network', async () => {
  const {connect, saved, ports, home} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge'], ['kiro', 'user', 'bridge']);
  await writeFile(join(home, '.config', 'zed', 'settings.json'), '{');
  await writeFile(join(home, '.kiro', 'settings', 'mcp.json'), '{}');
  const standings = await inspectEntries(await saved(), allAssistants, ports);
  expect(standings.map(({assistant, state, method, expiresAt}) => [assistant, state, method, expiresAt])).toEqual([
    ['Cursor', 'token', 'header', 4_000_000_000_000],
    ['Cursor', 'token', 'header', 4_000_000_000_000],
    ['Zed', 'unreadable', undefined, undefined],
    ['Zed', 'unreadable', undefined, undefined],
    ['Kiro', 'missing', undefined, undefined],
    ['Kiro', 'missing', undefined, undefined],
  ]);
});

test('a sign-out takes the tokens out of every file that has one, and leaves the rest', async () => {
  const {connect, saved, ports, home, token, place} = await machine();
  await connect(['cursor', 'user', 'header'], ['zed', 'user', 'bridge']);
  const zed = await readFile(join(home, '.config', 'zed', 'settings.json'), 'utf8');
  const {result} = await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
  expect(result.cleared).toEqual([join(home, '.cursor', 'mcp.json')]);
  expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).not.toContain(token);
  expect(await readFile(join(home, '.config', 'zed', 'settings.json'), 'utf8')).toBe(zed);
});

describe('what is not ours', () => {
  const theirs = (headers: object) =>
    JSON.stringify({
      mcpServers: {'acme-control-plane': {url: 'http://other.example/mcp', headers}, x: {args: ['--key', 'sk-1']}},
    });

  test('comes back from undo as it was, the person’s own tokens with it', async () => {
    const {input, ports, put} = await machine();
    const text = theirs({Authorization: 'Bearer ghp_MyOwnToken123'});
    const path = await put('.cursor/mcp.json', text);
    const replacing = {...input([['cursor', 'user', 'bridge']]), replace: true};
    const {result: plan} = await collect(planFiles(replacing, ports, noSignal));
    // And it is in no diff before.
    expect(plan.files[0]?.diff).not.toMatch(/ghp_|sk-1|other\.example/);
    await collect(writeFiles({...replacing, plan}, ports, noSignal));
    expect(await readFile(path, 'utf8')).not.toContain('ghp_');
    await collect(undoWrites(1, ports, noSignal));
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  test('our own tokens are in no journal, whichever context’s they are', async () => {
    const {connect, input, ports, home, token} = await machine();
    await connect(['cursor', 'user', 'header']);
    const other = {
      ...input([['cursor', 'user', 'bridge']]),
      context: 'beta',
      entries: entries.map(entry => ({...entry, label: entry.label.replace('acme', 'beta')})),
    };
    const {result: plan} = await collect(planFiles(other, ports, noSignal));
    await collect(writeFiles({...other, plan}, ports, noSignal));
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain(token);
    expect(JSON.stringify(await ports.journal.list())).not.toContain(token);
  });
});

describe('a renewal', () => {
  test('goes to the very files that are known, wherever the person is', async () => {
    const {connect, saved, input, ports, project, home, place} = await machine();
    await connect(['claude-code', 'project', 'header'], ['cursor', 'user', 'bridge']);
    const elsewhere = join(home, 'elsewhere');
    await mkdir(elsewhere);
    const known = (await saved()).entries ?? [];
    const targets = known.flatMap(renews => {
      const assistant = allAssistants.find(({id}) => id === renews.assistant);
      return assistant ? [{assistant, scope: renews.scope, method: renews.method, renews}] : [];
    });
    const tokens = {signIn: new Secret(jwt(4_000_000_001))};
    const renewing = {...input([]), tokens, targets, place: {...place, project: elsewhere}};
    const {result: plan} = await collect(planFiles(renewing, ports, noSignal));
    await collect(writeFiles({...renewing, plan}, ports, noSignal));
    expect(await readdir(elsewhere)).toEqual([]);
    expect(await readFile(join(project, '.mcp.json'), 'utf8')).toContain(jwt(4_000_000_001));
    expect((await saved()).entries?.map(({path}) => path)).toEqual(known.map(({path}) => path));
    expect((await saved()).entries?.[0]?.project).toBe(project);
  });

  test('with fewer servers forgets none that stays in the file', async () => {
    const {connect, input, ports, home, saved, disconnect} = await machine();
    await connect(['cursor', 'user', 'header']);
    const tokens = {signIn: new Secret(jwt(4_000_000_002))};
    const fewer = {...input([['cursor', 'user', 'header']]), tokens, entries: [entries[0]], every: entries};
    const {result: plan} = await collect(planFiles(fewer, ports, noSignal));
    await collect(writeFiles({...fewer, plan}, ports, noSignal));
    const text = await readFile(join(home, '.cursor', 'mcp.json'), 'utf8');
    expect(text.split(jwt(4_000_000_002))).toHaveLength(3);
    expect((await saved()).entries?.[0]?.names).toEqual(['acme-control-plane', 'acme-observability']);
    await disconnect();
    await expect(readFile(join(home, '.cursor', 'mcp.json'))).rejects.toThrow('ENOENT');
  });
});

test('a token of another context in the same file is not kept in the journal either', async () => {
  const {connect, disconnect, ports, home, token} = await machine();
  await connect(['cursor', 'user', 'header']);
  const path = join(home, '.cursor', 'mcp.json');
  const beta = (await readFile(path, 'utf8')).replaceAll('acme-', 'beta-').replaceAll(token, 'token-of-beta');
  const both = JSON.parse(await readFile(path, 'utf8'));
  Object.assign(both.mcpServers, JSON.parse(beta).mcpServers);
  await writeFile(path, JSON.stringify(both));
  const [acme] = (await ports.config.read()).contexts;
  const entries = acme?.entries?.map(one => ({...one, names: one.names.map(name => name.replace('acme', 'beta'))}));
  await ports.config.saveContext({...context, name: 'beta', entries: entries ?? []});
  await disconnect(['cursor']);
  expect(await readFile(path, 'utf8')).toContain('token-of-beta');
  await connect(['cursor', 'user', 'header']);
  expect(JSON.stringify(await ports.journal.list())).not.toContain('token-of-beta');
});

describe('a sign-out', () => {
  test('takes the token out of every file that it can, and names the one that it cannot', async () => {
    const {connect, saved, ports, home, token, place} = await machine();
    await connect(['cursor', 'user', 'header'], ['gemini-cli', 'user', 'header']);
    await writeFile(join(home, '.cursor', 'mcp.json'), '{');
    const leaving = collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
    await expect(leaving).rejects.toMatchObject({
      code: 'local-file-invalid',
      message: expect.stringContaining(join('.cursor', 'mcp.json')),
    });
    expect(await readFile(join(home, '.gemini', 'settings.json'), 'utf8')).not.toContain(token);
    expect(await ports.credentials.get(context)).toBeUndefined();
  });

  test('keeps what the person chose in the entry', async () => {
    const {connect, saved, ports, home, place} = await machine();
    await connect(['gemini-cli', 'user', 'header']);
    const path = join(home, '.gemini', 'settings.json');
    const json = JSON.parse(await readFile(path, 'utf8'));
    json.mcpServers['acme-control-plane'].trust = true;
    await writeFile(path, JSON.stringify(json));
    await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
    expect(JSON.parse(await readFile(path, 'utf8')).mcpServers['acme-control-plane'].trust).toBe(true);
  });

  const withToken = allAssistants.filter(({entry}) => entry.header);

  test.each(withToken)('is nothing that undo takes back, and nothing in its way: $name', async assistant => {
    const {connect, saved, ports, place, token} = await machine();
    const scope = assistant.files('user', place).length > 0 ? 'user' : 'project';
    const [path = ''] = assistant.files(scope, place);
    await connect([assistant.id, scope, 'header']);
    expect(await readFile(path, 'utf8')).toContain(token);
    const writes = await ports.journal.list();
    await collect(signOut({context: await saved(), assistants: allAssistants, place}, ports, noSignal));
    expect(await readFile(path, 'utf8')).toContain('signed-out');
    expect(await ports.journal.list()).toEqual(writes);
    const {files} = (await collect(undoWrites(1, ports, noSignal))).result;
    expect(files).toContainEqual({path, outcome: 'removed'});
    expect(await ports.journal.list()).toEqual([]);
  });

  test('leaves a sign-in that another context lives on', async () => {
    const {ports, place, token} = await machine();
    await ports.config.saveContext({...context, name: 'beta'});
    const {result} = await collect(signOut({context, assistants: allAssistants, place}, ports, noSignal));
    expect(result.revocation).toBe('shared');
    expect((await ports.credentials.get(context))?.accessToken).toBe(token);
  });
});

test('a .gitignore in another encoding keeps every byte, and a file that git has already is refused', async () => {
  const bin = '/usr/bin:/bin';
  const {ports, project, input} = await machine({PATH: bin});
  const git = (...args: readonly string[]) =>
    ports.processes.run('git', ['-C', project, ...args], {timeout: 5_000, signal: noSignal});
  expect(await git('init', '-q')).toMatchObject({outcome: 'exited', code: 0});
  await writeFile(join(project, '.gitignore'), Buffer.from('k\xfcche/', 'latin1'));
  const ignoring = {...input([['cursor', 'project', 'header']]), inGit: 'ignore' as const};
  const {result: plan} = await collect(planFiles(ignoring, ports, noSignal));
  await collect(writeFiles({...ignoring, plan}, ports, noSignal));
  expect(await readFile(join(project, '.cursor', '.gitignore'), 'utf8')).toBe('/mcp.json\n');
  await writeFile(join(project, 'mcp.json'), '{}');
  await git('add', 'mcp.json');
  const tracked = {...input([['generic', 'project', 'header']]), inGit: 'ignore' as const};
  await expect(collect(planFiles(tracked, ports, noSignal))).rejects.toMatchObject({
    code: 'local-token-in-git',
    message: expect.stringContaining('in git already'),
  });
  await git('rm', '-q', '--cached', 'mcp.json');
  const {result: second} = await collect(planFiles(tracked, ports, noSignal));
  await collect(writeFiles({...tracked, plan: second}, ports, noSignal));
  expect(await readFile(join(project, '.gitignore'), 'latin1')).toBe('k\xfcche/\n/mcp.json\n');
});

test('a removal goes through the record of a run as it is, journal and all', async () => {
  const {connect, disconnect, ports, home} = await machine();
  const {recorded} = await import('../../../src/ports/recorded.ts');
  const {createRecorder} = await import('../../../src/ports/recorder.ts');
  await connect(['cursor', 'user', 'bridge']);
  const watched = recorded(ports, createRecorder(join(home, 'record.jsonl')));
  await watched.files.remove(join(home, '.cursor', 'mcp.json'), {journal: true});
  expect((await ports.journal.list()).at(-1)).toMatchObject({after: null});
  await disconnect();
});

describe('mending the entries', () => {
  test('mends every file that can be mended, and names the one that cannot', async () => {
    const {ports, place, connect, saved, put, input} = await machine();
    await connect(['cursor', 'user', 'bridge'], ['gemini-cli', 'user', 'bridge']);
    const before = await saved();
    const broken = await put('.gemini/settings.json', '{"mcpServers": [');
    const cursor = await put('.cursor/mcp.json', '{}');
    const {controlPlaneUrl, observerUrl, authUrl, issuer} = context;
    const subject = {platform: bundled, controlPlaneUrl, observerUrl, authUrl, issuer, context: before} as Subject;
    const {own} = input([]);
    const machineOf = {assistants: allAssistants, place, own, version: '1'} as unknown as Machine;
    await expect(
      collect(applyFix({fix: 'reconnect', subject, machine: machineOf}, ports, noSignal)),
    ).rejects.toMatchObject({code: 'local-file-invalid', message: expect.stringContaining('.gemini')});
    expect(await readFile(cursor, 'utf8')).toContain('acme-control-plane');
    expect(await readFile(broken, 'utf8')).toBe('{"mcpServers": [');
    const known = (one: Context) => one.entries?.map(({assistant}) => assistant).sort();
    expect(known(await saved())).toEqual(known(before));
  });
});
