import {chmod, mkdir, readdir, readFile, realpath, rm, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {allAssistants} from '../../../src/assistants/catalogue/all.ts';
import type {Method, Scope} from '../../../src/domain/context.ts';
import {Secret} from '../../../src/domain/secret.ts';
import {type PlanInput, planFiles} from '../../../src/flows/assistants/plan-files.ts';
import {writeFiles} from '../../../src/flows/assistants/write-files.ts';
import type {Ports, ProcessResult} from '../../../src/ports/ports.ts';
import {collect} from '../../support/flows.ts';
import {onUnix} from '../../support/systems/on-unix.ts';
import {expectMode, onWindowsOr} from '../../support/systems/system-here.ts';
import {worded} from '../../support/worded.ts';
import {entries, jwt, machine} from './support/machine.ts';

describe('a file that nobody may write', () => {
  onUnix('is not planned until the person says so, and stays as it is otherwise', async () => {
    const {input, ports, put} = await machine();
    const path = await put('.cursor/mcp.json', '{}');
    await chmod(path, 0o444);
    const asked = input([['cursor', 'user', 'bridge']]);
    await expect(worded(collect(planFiles, asked, ports))).rejects.toMatchObject({
      code: 'local-file-read-only',
      message: `${path} is read-only (mode 444).`,
      remedy: expect.stringContaining('--overwrite-read-only'),
      about: {path},
    });
    const allowed = {...asked, overwriteReadOnly: true};
    const {result: plan} = await collect(planFiles, allowed, ports);
    await collect(writeFiles, {...allowed, plan}, ports);
    expect((await stat(path)).mode & 0o777).toBe(0o444);
    expect(await readFile(path, 'utf8')).toContain('acme-control-plane');
    // An unchanged file needs no confirmation.
    await collect(planFiles, asked, ports);
    // A renewal writes what the person agreed to, and does not put back what somebody has taken out since.
    const renewing = {...input([['cursor', 'user', 'header']]), overwriteReadOnly: 'with-ours'} as const;
    await collect(planFiles, renewing, ports);
    const {mcpServers} = JSON.parse(await readFile(path, 'utf8'));
    const {'acme-observability': _, ...one} = mcpServers;
    for (const left of [{mcpServers: one}, {}]) {
      await chmod(path, 0o644);
      await writeFile(path, JSON.stringify(left));
      await chmod(path, 0o444);
      await expect(collect(planFiles, renewing, ports)).rejects.toMatchObject({code: 'local-file-read-only'});
    }
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
      [
        join(project, '.mcp.json'),
        '2 entries for Claude Code, GitHub Copilot CLI, by the bridge, on this machine only',
      ],
    ]);
    const text = await readFile(join(project, '.mcp.json'), 'utf8');
    expect(JSON.parse(text).mcpServers['acme-control-plane']).toMatchObject({type: 'stdio', command: '/usr/bin/node'});
    // The first assistant to be disconnected leaves the shared entries to the other one.
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
    const {result: plan} = await collect(planFiles, dotted, ports);
    expect(plan.entries[0]?.names).toEqual(['acme-corp-control-plane']);
  });

  test('only the observer comes with a warning', async () => {
    const {input, ports} = await machine();
    const only = {...input([['cursor', 'user', 'bridge']]), entries: [entries[1]]};
    const {events} = await collect(planFiles, only, ports);
    expect(events).toContainEqual({type: 'warning', message: expect.stringContaining('UUIDs')});
  });

  test('one server, where both are entered already, is told that the other one stays', async () => {
    const {connect, input, ports, home} = await machine();
    await connect(['cursor', 'user', 'bridge']);
    const only = {...input([['cursor', 'user', 'bridge']]), entries: [entries[1]], every: entries};
    const {events} = await collect(planFiles, only, ports);
    expect(events.flatMap(event => (event.type === 'warning' ? [event.message] : []))).toEqual([
      `The entry that ${join(home, '.cursor', 'mcp.json')} has for the other server stays. To remove it, run npx setup mcp disconnect cursor first.`,
    ]);
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
    await expectMode(path, 0o600);
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
    const {result: plan} = await collect(planFiles, renewing, ports);
    await collect(writeFiles, {...renewing, plan}, ports);
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
    const {result: plan} = await collect(planFiles, fewer, ports);
    await collect(writeFiles, {...fewer, plan}, ports);
    const text = await readFile(join(home, '.cursor', 'mcp.json'), 'utf8');
    expect(text.split(jwt(4_000_000_002))).toHaveLength(3);
    expect((await saved()).entries?.[0]?.names).toEqual(['acme-control-plane', 'acme-observability']);
    await disconnect();
    await expect(readFile(join(home, '.cursor', 'mcp.json'))).rejects.toThrow('ENOENT');
  });
});

/** Sets up a machine, and a function that plans the files of these assistants. */
const planning = async () => {
  const at = await machine();
  const plan = (
    chosen: readonly (readonly [string, Scope, Method])[],
    more: Partial<PlanInput> = {},
    ports: Ports = at.ports,
  ) => collect(planFiles, {...at.input(chosen), ...more}, ports);
  return {...at, plan};
};

const warningsIn = (events: readonly {readonly type: string; readonly message?: string}[]) =>
  events.flatMap(({type, message}) => (type === 'warning' ? [message] : []));

describe('what is planned', () => {
  test('is told of each file, and in words: how many entries, for whom, by which way', async () => {
    const {plan, home, connect, fileOf} = await planning();
    const {result, events} = await plan([
      ['claude-code', 'user', 'helper'],
      ['cursor', 'user', 'header'],
      ['zed', 'user', 'bridge'],
    ]);
    expect(result.files.map(({summary, change}) => [summary, change])).toEqual([
      ['2 entries for Claude Code, by the helper', 'new'],
      ['2 entries for Cursor, with the token', 'new'],
      ['2 entries for Zed, by the bridge', 'new'],
    ]);
    expect(result.files.map(({write}) => [write?.mode, write?.tighten])).toEqual([
      [0o600, false],
      [0o600, true],
      [0o600, false],
    ]);
    expect(events.filter(({type}) => type === 'file-planned')).toEqual(
      result.files.map(({path, change, summary, diff}) => ({type: 'file-planned', path, change, summary, diff})),
    );
    expect(result.entries.map(({path, created}) => [path, created])).toEqual([
      [join(home, '.claude.json'), true],
      [join(home, '.cursor', 'mcp.json'), true],
      [fileOf('zed'), true],
    ]);
    expect([warningsIn(events), result.removed]).toEqual([[], []]);
    await connect(['zed', 'user', 'bridge']);
    const again = await plan([['zed', 'user', 'bridge']], {entries: [entries[0]]});
    expect(again.result.files).toMatchObject([{summary: '1 entry for Zed', change: 'unchanged', diff: ''}]);
  });

  test('shows what changes in our entries, and nothing of what somebody else has in theirs', async () => {
    const {plan, connect, put} = await planning();
    await connect(['cursor', 'user', 'bridge']);
    const diffOf = async (more: Partial<PlanInput> = {}) =>
      (await plan([['cursor', 'user', 'header']], more)).result.files[0]?.diff.split('\n') ?? [];
    const renewed = await diffOf();
    expect(renewed).toContainEqual(expect.stringMatching(/^-\s+"command": "\/usr\/bin\/node"/));
    expect(renewed).toContainEqual(expect.stringMatching(/^\+\s+"url": "http:\/\/api\.acme\.localhost:8080\/mcp"/));
    const theirs = {url: 'http://other.example/mcp?key=sk-1', headers: {Authorization: 'Bearer ghp_1'}};
    await put('.cursor/mcp.json', JSON.stringify({mcpServers: {'acme-control-plane': theirs}}));
    const replaced = (await diffOf({replace: true})).join('\n');
    expect(replaced).toMatch(/^-.*acme-control-plane/m);
    expect(replaced).toMatch(/^\+.*"url":"http:\/\/observer/m);
    expect(replaced).not.toMatch(/other\.example|sk-1|ghp_/);
  });

  test('knows of a file that was there that it was not made', async () => {
    const {plan, put, connect} = await planning();
    await put('.cursor/mcp.json', '{}');
    // Another assistant was connected before.
    await connect(['zed', 'user', 'bridge']);
    const {result} = await plan([['cursor', 'user', 'bridge']]);
    expect(result.entries[0]).not.toHaveProperty('created');
    expect(result.files).toMatchObject([{change: 'changed'}]);
  });

  test('keeps what is known of how a file came about, for everybody who reads it', async () => {
    const {plan, connect, saved} = await planning();
    await connect(['copilot-cli', 'project', 'bridge']);
    const [first] = (await saved()).entries ?? [];
    const {result} = await plan([['claude-code', 'project', 'bridge']]);
    expect(result.entries).toMatchObject([{assistant: 'claude-code', made: first?.made, created: true}]);
  });

  test('knows where the tokens stand that are there now, and those of this run', async () => {
    const {plan, connect, token, fileOf} = await planning();
    await connect(['cursor', 'user', 'header']);
    const tokens = {signIn: new Secret('the-next-token')};
    const {result} = await plan([['cursor', 'user', 'header']], {tokens});
    const {after, tokens: spans} = result.files[0]?.write ?? expect.fail();
    const [old, next] = [await readFile(fileOf('cursor')), Buffer.from((after as Secret).reveal())];
    expect(spans.before.map(({start, end}) => old.toString('utf8', start, end))).toEqual([token, token]);
    expect(spans.after.map(({start, end}) => next.toString('utf8', start, end))).toEqual(
      Array(2).fill('the-next-token'),
    );
    expect(result.files[0]?.diff).not.toContain('the-next-token');
  });

  test('has the program’s own files where they change too, and says where secrets are kept', async () => {
    const {plan, ports} = await planning();
    const own = {ownFiles: 'all'} as const;
    const kept = [ports.config.path, ports.credentials.path];
    const {result} = await plan([], own);
    expect(result.files.map(({path, change, summary}) => [path, change, summary])).toEqual([
      [kept[0], 'changed', 'addresses, no secrets'],
      [kept[1], 'changed', onWindowsOr('your sign-in', 'your sign-in, readable by you only')],
    ]);
    // Windows and some file systems have no permission bits.
    const files = {...ports.files, isForOwner: async () => false};
    expect((await plan([], own, {...ports, files})).result.files[1]?.summary).toBe('your sign-in');
    for (const path of kept) await ports.files.remove(path);
    const credentials = {...ports.credentials, where: async () => 'the keychain'};
    const {result: fresh} = await plan([], own, {...ports, credentials});
    expect(fresh.files.map(({change, summary, before}) => [change, summary, before])).toEqual([
      ['new', 'addresses, no secrets', null],
      ['new', 'your sign-in, in the keychain', null],
    ]);
  });

  test('leaves out the observability server’s warning where nobody is connected', async () => {
    const {plan} = await planning();
    expect(warningsIn((await plan([], {entries: [entries[1]]})).events)).toEqual([]);
    expect(warningsIn((await plan([['zed', 'user', 'bridge']])).events)).toEqual([]);
  });
});

describe('who wanted another way is told', () => {
  test.each<[string, Method, Method, string]>([
    ['zed', 'helper', 'bridge', 'Zed does not support a helper; it is connected with the bridge.'],
    [
      'claude-code',
      'helper',
      'bridge',
      'Claude Code may not support a helper in this version; it is connected with the bridge.',
    ],
    [
      'claude-code',
      'helper',
      'header',
      'Claude Code may not support a helper in this version; it is connected with a token in its file.',
    ],
    [
      'claude-desktop',
      'header',
      'bridge',
      'Claude Desktop does not support a token in its file; it is connected with the bridge.',
    ],
  ])('of %s by %s', async (id, wanted, method, message) => {
    const {plan, input} = await planning();
    const {targets} = input([[id, 'user', method]]);
    const {events} = await plan([], {targets: targets.map(target => ({...target, wanted}))});
    expect(warningsIn(events)).toEqual([message]);
  });

  test('of an entry that is switched off, and stays so', async () => {
    const {plan, connect, home} = await planning();
    await connect(['kiro', 'user', 'bridge']);
    const path = join(home, '.kiro', 'settings', 'mcp.json');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"disabled": false', '"disabled": true'));
    expect(warningsIn((await plan([['kiro', 'user', 'bridge']])).events)).toEqual([
      '“acme-control-plane” is switched off in Kiro, and stays off.',
    ]);
    await writeFile(path, text.replaceAll('"disabled": false', '"disabled": true'));
    expect(warningsIn((await plan([['kiro', 'user', 'bridge']])).events)).toEqual([
      '“acme-control-plane” and “acme-observability” are switched off in Kiro, and stay off.',
    ]);
  });

  test('that a new file would cost the client something, so that another one is written', async () => {
    const {plan, input} = await planning();
    const {targets} = input([['continue', 'project', 'bridge']]);
    const {events} = await plan([], {targets: targets.map(target => ({...target, spared: 'its models'}))});
    expect(warningsIn(events)).toEqual([
      'Continue has no settings file yet, and a new one would replace its models, so it is connected in this project only.',
    ]);
  });
});

test('entries that lead elsewhere are all named', async () => {
  const {plan, put} = await planning();
  const theirs = {url: 'http://other.example/mcp'};
  const path = await put(
    '.cursor/mcp.json',
    JSON.stringify({mcpServers: {'acme-control-plane': theirs, 'acme-observability': theirs}}),
  );
  await expect(plan([['cursor', 'user', 'bridge']])).rejects.toMatchObject({
    code: 'local-entry-exists',
    message: `${path} already has “acme-control-plane” and “acme-observability”, which this program did not write or which has been changed since.`,
    about: {path},
  });
  expect((await plan([['cursor', 'user', 'bridge']], {replace: true})).result.files).toHaveLength(1);
});

describe('a token in a repository', () => {
  /** Sets up a project in git. git may track or ignore the file. */
  const inGit = async ({isTracked = false, isIgnored = false} = {}) => {
    const at = await planning();
    await mkdir(join(at.project, '.git'));
    const exited = (code: number): ProcessResult => ({outcome: 'exited', code, stdout: '', stderr: ''});
    const run: Ports['processes']['run'] = async (_, args) =>
      exited(Number(!(args.includes('ls-files') ? isTracked : isIgnored)));
    const ports = {...at.ports, processes: {...at.ports.processes, run}};
    const header = ['claude-code', 'project', 'header'] as const;
    return {
      ...at,
      path: join(at.project, '.mcp.json'),
      ignore: join(at.project, '.gitignore'),
      plan: (inGit: PlanInput['inGit'], chosen: readonly (readonly [string, Scope, Method])[] = [header]) =>
        at.plan(chosen, {inGit}, ports),
    };
  };

  test('is refused, and so is one that git has already, which nothing keeps out', async () => {
    const {plan, path} = await inGit();
    await expect(worded(plan('refuse'))).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: `${path} would hold an access token, and git would commit it.`,
      remedy: expect.stringContaining('--in-git ignore'),
      about: {path, isIgnorable: true},
    });
    const tracked = await inGit({isTracked: true});
    await expect(worded(tracked.plan('ignore'))).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: `${tracked.path} is already tracked by git, so .gitignore would not keep the token out.`,
      remedy: 'Choose a connection that stores no token, or write it anyway. Pass --method bridge, or --in-git write.',
    });
    const refused = await tracked.plan('refuse').catch((error: unknown) => error);
    expect(refused).toMatchObject({code: 'local-token-in-git', about: {path: tracked.path}});
    expect(refused).not.toHaveProperty('about.isIgnorable');
    expect((await tracked.plan('write')).result.files).toHaveLength(1);
  });

  test.each(['refuse', 'ignore'] as const)('is refused where another system would commit it (%s)', async inGit => {
    const {plan, project} = await planning();
    await mkdir(join(project, '.hg'));
    await expect(worded(plan([['claude-code', 'project', 'header']], {inGit}))).rejects.toMatchObject({
      code: 'local-token-in-git',
      message: `${join(project, '.mcp.json')} would hold an access token, and Mercurial would commit it.`,
      remedy: 'Choose a connection that stores no token, or write it anyway. Pass --method bridge, or --in-git write.',
    });
  });

  onUnix('is kept out by the name of the file that it really stands in', async () => {
    const {plan, project} = await inGit();
    const shared = join(project, 'shared');
    await mkdir(shared);
    await symlink(join('shared', 'mcp.json'), join(project, '.mcp.json'));
    const {files} = (await plan('ignore')).result;
    expect(files.map(({path}) => path)).toEqual([join(project, '.mcp.json'), join(project, '.gitignore')]);
    expect(files[0]?.leadsTo).toBe(await realpath(project).then(root => join(root, 'shared/mcp.json')));
    expect(String(files[1]?.write?.after)).toBe('/shared/mcp.json\n');
  });

  onUnix('is not kept out by an ignore file that is a link, which git does not read', async () => {
    const {plan, project, home} = await inGit();
    await writeFile(join(home, '.bashrc'), '');
    await symlink(join(home, '.bashrc'), join(project, '.gitignore'));
    await expect(plan('ignore')).rejects.toMatchObject({code: 'local-link-outside'});
    await rm(join(project, '.gitignore'));
    await writeFile(join(project, 'other'), '');
    await symlink('other', join(project, '.gitignore'));
    await expect(plan('ignore')).rejects.toMatchObject({code: 'local-link-outside'});
  });

  test('is no matter where git leaves the file alone, or no token is in it', async () => {
    const {plan} = await inGit({isIgnored: true});
    expect((await plan('refuse')).result.files).toHaveLength(1);
    const other = await inGit();
    expect((await other.plan('refuse', [['claude-code', 'project', 'bridge']])).result.files).toHaveLength(1);
  });

  test('is warned of where the person insists, until nothing changes', async () => {
    const {plan, path, connect, project} = await inGit();
    const warnings = async () => warningsIn((await plan('write')).events);
    expect(await warnings()).toEqual([`${path} will hold an access token. Do not commit it.`]);
    await writeFile(join(project, '.gitignore'), '/.mcp.json\n');
    await connect(['claude-code', 'project', 'header']);
    expect(await warnings()).toEqual([]);
  });

  test('is kept out of it by a file beside, which anybody may read and which is shown', async () => {
    const {plan, path, ignore} = await inGit();
    const {result} = await plan('ignore');
    expect(result.files.map(one => one.path)).toEqual([path, ignore]);
    expect(result.files[1]).toMatchObject({
      ...{change: 'new', summary: 'keeps it out of git', before: null},
      diff: expect.stringContaining('+/.mcp.json'),
      write: {
        after: Buffer.from('/.mcp.json\n'),
        mode: 0o644,
        tighten: false,
        tokens: {before: [], after: []},
        isIgnoreFile: true,
      },
    });
    await writeFile(ignore, 'dist\n');
    const {result: again} = await plan('ignore');
    expect(again.files[1]).toMatchObject({
      ...{change: 'changed', before: expect.any(String)},
      write: {after: Buffer.from('dist\n/.mcp.json\n')},
    });
  });

  test('and another one beside are kept out by the same file', async () => {
    const {plan, ignore} = await inGit();
    const {result} = await plan('ignore', [
      ['claude-code', 'project', 'header'],
      ['documented', 'project', 'header'],
    ]);
    const beside = result.files.filter(one => one.path === ignore);
    expect(beside).toMatchObject([{write: {after: Buffer.from('/.mcp.json\n/mcp.json\n')}}]);
    expect(result.files).toHaveLength(3);
  });
});

describe('who is not to be connected any more', () => {
  const disconnectingIn = async (...chosen: readonly (readonly [string, Scope, Method])[]) => {
    const at = await planning();
    await at.connect(...chosen);
    const known = (await at.saved()).entries ?? [];
    const of = (id: string) =>
      known
        .filter(({assistant}) => assistant === id)
        .flatMap(entry => {
          const assistant = allAssistants.find(one => one.id === id);
          return assistant ? [{entry, assistant}] : [];
        });
    return {...at, known, of};
  };

  test('is planned with the rest, and not to be known any more', async () => {
    const {plan, of, known, home, fileOf} = await disconnectingIn(['cursor', 'user', 'bridge']);
    const {result} = await plan([['zed', 'user', 'bridge']], {disconnecting: of('cursor')});
    expect(result.removed).toEqual(known);
    expect(result.files.map(({path}) => path)).toEqual([fileOf('zed'), join(home, '.cursor', 'mcp.json')]);
  });

  test('counts the entries that change if others stay', async () => {
    const {plan, fileOf} = await disconnectingIn(['zed', 'user', 'bridge']);
    const path = fileOf('zed');
    const settings = JSON.parse(await readFile(path, 'utf8'));
    delete settings.context_servers['acme-observability'];
    await writeFile(path, JSON.stringify(settings));
    const {result} = await plan([['zed', 'user', 'bridge']]);
    expect(result.files).toMatchObject([
      {path, summary: expect.stringMatching(/^1 of 2 entries for Zed, by the bridge/)},
    ]);
  });

  test('leaves the entries to others who read the same file, known or chosen now', async () => {
    const shared = await disconnectingIn(['claude-code', 'project', 'bridge'], ['copilot-cli', 'project', 'bridge']);
    expect((await shared.plan([], {disconnecting: shared.of('copilot-cli')})).result.files).toEqual([]);
    const both = [...shared.of('copilot-cli'), ...shared.of('claude-code')];
    expect((await shared.plan([], {disconnecting: both})).result.files).toHaveLength(1);
    const two = await disconnectingIn(['claude-code', 'project', 'bridge'], ['claude-code', 'user', 'bridge']);
    const [one] = two.of('claude-code');
    expect((await two.plan([], {disconnecting: one ? [one] : []})).result.files).toMatchObject([
      {path: one?.entry.path},
    ]);
    const alone = await disconnectingIn(['copilot-cli', 'project', 'bridge']);
    const {result} = await alone.plan([['claude-code', 'project', 'bridge']], {disconnecting: alone.of('copilot-cli')});
    expect(result.files).toMatchObject([{summary: '2 entries for Claude Code'}]);
  });
});
