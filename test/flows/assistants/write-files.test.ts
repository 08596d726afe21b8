import {mkdir, readdir, readFile, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {generic} from '../../../src/assistants/catalogue/generic.ts';
import {cancelled, SetupError} from '../../../src/errors/errors.ts';
import {planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {verifyEntries} from '../../../src/flows/assistants/verify-entries.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import type {FlowEvent} from '../../../src/flows/flow.ts';
import {undoWrites} from '../../../src/flows/undo.ts';
import type {Ports} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {expectMode} from '../../support/systems/system-here.ts';
import {signedIn} from '../support/signed-in.ts';
import {context, entries, machine} from './support/machine.ts';

test('two setups at once lose nothing of each other: who comes second is told to look again', async () => {
  const {input, ports, home} = await machine();
  const one = input([['cursor', 'user', 'bridge']]);
  const other = {...one, entries: entries.map(entry => ({...entry, label: entry.label.replace('acme', 'beta')}))};
  const plans = await Promise.all([one, other].map(each => collect(planFiles, each, ports)));
  const writes = [one, other].map((each, index) =>
    collect(writeFiles, {...each, plan: plans[index]?.result ?? {files: [], entries: []}}, ports),
  );
  const settled = await Promise.allSettled(writes);
  const refused = settled.filter(({status}) => status === 'rejected');
  expect(refused).toMatchObject([{reason: {code: 'local-file-changed'}}]);
  const {mcpServers} = JSON.parse(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8'));
  expect(Object.keys(mcpServers)).toHaveLength(2);
});

test('a signal before the first change prevents all of them, and a later one prevents none', async () => {
  const {input, ports, home} = await machine();
  const both = input([
    ['cursor', 'user', 'bridge'],
    ['gemini-cli', 'user', 'bridge'],
  ]);
  const {result: plan} = await collect(planFiles, both, ports);
  const paths = plan.files.flatMap(({path, change}) => (change === 'unchanged' ? [] : [path]));
  expect(paths.length).toBeGreaterThanOrEqual(2);
  const gone = AbortSignal.abort(cancelled());
  await expect(writeFiles({...both, plan}, {ports, signal: gone, tell: () => {}})).rejects.toMatchObject({
    code: 'cancelled',
  });
  for (const path of paths) await expect(readFile(path)).rejects.toMatchObject({code: 'ENOENT'});

  const stop = new AbortController();
  const written: string[] = [];
  const tell = (event: FlowEvent) => {
    if (event.type !== 'file-written') return;
    stop.abort(cancelled());
    written.push(event.path);
  };
  await writeFiles({...both, plan}, {ports, signal: stop.signal, tell});
  expect(written).toEqual(expect.arrayContaining(paths));
  for (const path of paths) expect((await readFile(path, 'utf8')).length, home).toBeGreaterThan(0);
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
    const {result: plan} = await collect(planFiles, replacing, ports);
    // The diff of the plan does not contain it either.
    expect(plan.files[0]?.diff).not.toMatch(/ghp_|sk-1/);
    expect(plan.files[0]?.diff).toContain('-{"mcpServers":{"acme-control-plane":{"url":"http://other.example/mcp"');
    await collect(writeFiles, {...replacing, plan}, ports);
    expect(await readFile(path, 'utf8')).not.toContain('ghp_');
    await collect(undoWrites, {which: 1}, ports);
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
    await ports.config.saveContext({...context, name: 'beta'});
    const {result: plan} = await collect(planFiles, other, ports);
    await collect(writeFiles, {...other, plan}, ports);
    expect(await readFile(join(home, '.cursor', 'mcp.json'), 'utf8')).toContain(token);
    expect(JSON.stringify(await ports.journal.list())).not.toContain(token);
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

describe('a file that cannot be written in the end', () => {
  const chosen = [
    ['claude-code', 'user', 'bridge'],
    ['cursor', 'user', 'bridge'],
    ['codex-cli', 'user', 'bridge'],
  ] as const;

  /** Makes the disk full for one file after the changes were planned. */
  const fullFor = (ports: Ports, meant: string): Ports => ({
    ...ports,
    files: {
      ...ports.files,
      write: async (path, ...rest) => {
        if (path === meant) throw new SetupError('local-write-failed', `${path} was not written.`, {about: {path}});
        return ports.files.write(path, ...rest);
      },
    },
  });

  test('leaves the context with the entries that are there, and says of each file what became of it', async () => {
    const {input, ports, home, saved} = await machine();
    const [claude, cursor, codex] = ['.claude.json', '.cursor/mcp.json', '.codex/config.toml'].map(name =>
      join(home, name),
    );
    const full = fullFor(ports, cursor ?? '');
    const {result: plan} = await collect(planFiles, input(chosen), ports);
    await expect(collect(writeFiles, {...input(chosen), plan}, full)).rejects.toMatchObject({
      code: 'local-write-failed',
      message: `${cursor} was not written. Written: ${claude}. Also not written: ${codex}.`,
      about: {path: cursor},
    });
    expect((await saved()).entries?.map(({assistant}) => assistant)).toEqual(['claude-code']);
  });

  test('leaves what was known of the entries in it', async () => {
    const {input, ports, home, saved, connect} = await machine();
    await connect(...chosen);
    const header = input([['cursor', 'user', 'header']]);
    const full = fullFor(ports, join(home, '.cursor', 'mcp.json'));
    const {result: plan} = await collect(planFiles, header, ports);
    await expect(collect(writeFiles, {...header, plan}, full)).rejects.toMatchObject({
      message: expect.stringMatching(/mcp\.json was not written\.$/),
    });
    expect((await saved()).entries?.map(({assistant, method}) => [assistant, method]).toSorted()).toEqual([
      ['claude-code', 'bridge'],
      ['codex-cli', 'bridge'],
      ['cursor', 'bridge'],
    ]);
  });
});

describe('what is written', () => {
  test('is in the shape that most clients read, and answers', async () => {
    const {ready, plan, write, file, token, targets, ports} = await signedIn();
    await write(await plan());
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      mcpServers: {
        'acme-control-plane': {
          type: 'http',
          url: `${ready.controlPlaneUrl}/mcp`,
          headers: {Authorization: `Bearer ${token}`},
        },
        'acme-observability': {
          type: 'http',
          url: `${ready.observerUrl}/mcp`,
          headers: {Authorization: `Bearer ${token}`},
        },
      },
    });
    await expectMode(file, 0o600);
    const {result} = await collect(verifyEntries, targets, ports);
    expect(result.map(({server, name, path, tools}) => [server, name, path, tools > 5])).toEqual([
      ['control-plane', 'acme-control-plane', file, true],
      ['observability', 'acme-observability', file, true],
    ]);
  });

  test('puts the token into the credentials and the entries, and nowhere else', async () => {
    const {plan, write, home, project, token, secret} = await signedIn();
    // Twice, so that the journal has an entry of a file that already held the token.
    for (const _ of [1, 2]) {
      await write(await plan());
      await writeFile(join(project, '.mcp.json'), `${await readFile(join(project, '.mcp.json'), 'utf8')}\n`);
    }
    const holding = async (text: string) => {
      const names = await readdir(join(home, '..'), {recursive: true, withFileTypes: true});
      const files = names.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
      const hits = await Promise.all(
        files.map(async path => ((await readFile(path, 'utf8')).includes(text) ? [path] : [])),
      );
      return hits.flat().toSorted();
    };
    expect(await holding(token)).toEqual([join(home, 'credentials.json'), join(project, '.mcp.json')]);
    expect(await holding(secret)).toEqual([join(home, 'credentials.json')]);
  });

  test('is shown before, with secrets replaced, and nothing is written by showing it', async () => {
    const {plan, project, home, token} = await signedIn();
    await writeFile(
      join(project, '.mcp.json'),
      '{\n  // mine\n  "mcpServers": {"other": {"token": "canary-secret"}}\n}\n',
    );
    const before = await readdir(project);
    const {files} = await plan();
    expect(files.map(({path, change}) => [path, change])).toEqual([
      [join(project, '.mcp.json'), 'changed'],
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
    const own = await readdir(home).catch(() => []);
    expect(own.filter(name => name !== 'identity-providers.json')).toEqual([]);
  });

  test('in a git repository a token is refused, unless the person insists', async () => {
    const {targets, ports, project, plan, file} = await signedIn();
    await mkdir(join(project, '.git'));
    await expect(plan()).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: expect.stringContaining(file),
      about: {path: file},
    });
    const {events} = await collect(planFiles, {...targets, inGit: 'write'}, ports);
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('Do not commit it')});
    // A file without a token may be committed.
    const bridge = [{assistant: generic, scope: 'project', method: 'bridge'}] as const;
    expect((await collect(planFiles, {...targets, targets: bridge}, ports)).result.files[0]?.change).toBe('new');
  });

  test('in a git repository the file can be kept out of it', async () => {
    const {targets, ports, project, signIn, token} = await signedIn();
    await mkdir(join(project, '.git'));
    await writeFile(join(project, '.gitignore'), 'node_modules');
    const input = {...targets, inGit: 'ignore'} as const;
    const {result: planned} = await collect(planFiles, input, ports);
    expect(planned.files.map(({path, change}) => [path, change]).slice(0, 2)).toEqual([
      [join(project, '.mcp.json'), 'new'],
      [join(project, '.gitignore'), 'changed'],
    ]);
    await collect(writeFiles, {...input, plan: planned, signIn}, ports);
    expect(await readFile(join(project, '.gitignore'), 'utf8')).toBe('node_modules\n/.mcp.json\n');
    expect(await readFile(join(project, '.mcp.json'), 'utf8')).toContain(token);
    // git ignores the file now, so the second run has nothing to refuse.
    expect((await collect(planFiles, targets, ports)).result.files[0]?.change).toBe('unchanged');
  });

  test('an entry of the same name that leads elsewhere is replaced only when that is wanted', async () => {
    const {targets, ports, plan, file, ready} = await signedIn();
    const theirs = {mcpServers: {'acme-observability': {command: 'theirs', args: []}}};
    await writeFile(file, JSON.stringify(theirs));
    await expect(plan()).rejects.toMatchObject({
      code: 'local-entry-exists',
      message: expect.stringContaining('“acme-observability”'),
    });
    const {result} = await collect(planFiles, {...targets, replace: true}, ports);
    expect(result.files[0]?.diff).toContain(ready.observerUrl);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(theirs);
  });

  test('an entry that somebody changed is not called proof', async () => {
    const {plan, write, file, targets, ports} = await signedIn();
    await write(await plan());
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll('Bearer ', 'Bearer x'));
    await expect(collect(verifyEntries, targets, ports)).rejects.toMatchObject({code: 'auth-token-refused'});
    await writeFile(file, '{}');
    await expect(collect(verifyEntries, targets, ports)).rejects.toMatchObject({code: 'local-file-changed'});
  });
});
