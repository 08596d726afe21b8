import {mkdir, readdir, readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import {collect, noSignal} from '../../support/flows.ts';
import {entries, jwt, machine} from './support/machine.ts';

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
