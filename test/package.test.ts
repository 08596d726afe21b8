import {execFile} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {delimiter, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {gzipSync} from 'node:zlib';
import {build, transform} from 'esbuild';
import {describe, expect, onTestFinished, test} from 'vitest';
import {buildIn} from './support/built-program.ts';
import {openTerminal} from './support/terminal/terminal.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '..');
const launcher = join(root, 'bin/setup.js');

const temporary = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-test-'));
  onTestFinished(() => rm(directory, {recursive: true, force: true}));
  return directory;
};

// Each of these was once removed because less code seemed faster. Their code must not be written again here.
test.each([
  ['ink', 'src/command-line/wizard/draw.tsx'],
  ['react', 'src/screens/parts/use-frames.ts'],
  ['ink-select-input', 'src/screens/parts/choice.tsx'],
  ['openid-client', 'src/flows/sign-in/oauth-client.ts'],
  ['undici', 'src/ports/network/streams.ts'],
  ['conf', 'src/store/config-writer.ts'],
  ['ink-testing-library', 'test/support/render.tsx'],
])('%s does its work in %s', async (name, file) => {
  const source = await readFile(join(root, file), 'utf8');
  expect(source).toMatch(new RegExp(`^import (?!type)[^;]*'${name}['/]|[^f] import\\('${name}'\\)`, 'm'));
});

describe('the tarball', () => {
  const pack = async () => {
    const {stdout} = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
    });
    const [report] = Object.values(JSON.parse(stdout)) as {size: number; files: {path: string}[]}[];
    if (!report) throw new Error('npm pack reported nothing.');
    return report;
  };

  test('holds the launcher and the bundle, and nothing else', async () => {
    const {files} = await pack();
    const other = files
      .map(({path}) => path)
      .filter(
        path =>
          !/^(bin\/(setup\.js|package\.json|bunfig\.toml)|dist\/(current|[0-9a-f]{16}\/[\w-]+\.c?js|man\/[\w-]+\.1))$/.test(
            path,
          ),
      );
    const accounts = ['dist/THIRD_PARTY_LICENSES', 'dist/sbom.cdx.json'];
    // npm adds these by itself.
    expect(other.toSorted()).toEqual(['LICENSE', 'README.md', ...accounts, 'package.json']);
  });

  test('is small: 3 MB packed, 1.5 MB without the sandbox', async () => {
    const {size} = await pack();
    const sandbox = gzipSync(await readFile(join(buildIn(), 'sandbox.js'))).length;
    expect(size).toBeLessThan(3_000_000);
    expect(size - sandbox).toBeLessThan(1_500_000);
  });

  test('brings no dependencies along', async () => {
    const {dependencies = {}} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({});
  });
});

describe('what is bundled', () => {
  /** Returns every package with code in the bundle, as `name version`, by the paths that esbuild read. */
  const bundled = async () => {
    const {metafile} = await build({
      absWorkingDir: root,
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      splitting: true,
      outdir: 'dist',
      external: ['react-devtools-core', '@napi-rs/keyring'],
      mainFields: ['module', 'main'],
      define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
      entryPoints: ['src/cli.ts', 'src/quick-token.ts', 'src/store/config-writer.ts', 'src/sandbox/sandbox.ts'],
    });
    const inputs = Object.values(metafile.outputs).flatMap(output =>
      Object.entries(output.inputs).filter(([, {bytesInOutput}]) => bytesInOutput > 0),
    );
    const directories = inputs.flatMap(([path]) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []);
    const manifests = await Promise.all(
      [...new Set(directories)].map(async path => JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'))),
    );
    return [...new Set(manifests.map(({name, version}) => `${name} ${version}`))].toSorted();
  };

  test('has its licence in the tarball, and is in the bill of materials', async () => {
    const packages = await bundled();
    expect(packages.length).toBeGreaterThan(100);
    const licences = await readFile(join(root, 'dist/THIRD_PARTY_LICENSES'), 'utf8');
    const [, ...parts] = licences.split(/^-{80}\n/m);
    const sections = new Map(parts.flatMap((part, index) => (index % 2 ? [] : [[part, parts[index + 1] ?? '']])));
    expect(packages.filter(one => ![...sections.keys()].some(title => title.startsWith(`${one} (`)))).toEqual([]);
    for (const [title, text] of sections) {
      expect(text.length, title).toBeGreaterThan(500);
      expect(text, title).toMatch(/permission|redistribution|licen[cs]e/i);
    }
    const {components} = JSON.parse(await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8'));
    const listed = components.map(
      ({group, name, version}: Record<string, string>) => `${group ? `${group}/` : ''}${name} ${version}`,
    );
    expect(packages.filter(one => !listed.includes(one))).toEqual([]);
  });
});

describe('what a command loads', () => {
  /** Returns the bundle's files of which a run executed at least a part, as V8 counts them. */
  const loadedBy = async (...args: readonly string[]) => {
    const directory = await temporary();
    const env = {
      HOME: directory,
      SETUP_HOME: directory,
      NODE_V8_COVERAGE: join(directory, 'coverage'),
      PATH: process.env.PATH,
    };
    await run(process.execPath, [launcher, ...args], {env}).catch(() => undefined);
    const reports = await readdir(join(directory, 'coverage'));
    const parsed = await Promise.all(
      reports.map(async name => JSON.parse(await readFile(join(directory, 'coverage', name), 'utf8'))),
    );
    const urls: string[] = parsed.flatMap(({result}) => result.map(({url}: {url: string}) => url));
    const files = urls.filter(url => url.startsWith('file:') && url.includes('/dist/')).map(url => fileURLToPath(url));
    return Promise.all([...new Set(files)].map(path => readFile(path, 'utf8')));
  };

  const heavy = {
    React: /react\.transitional\.element/,
    Ink: /yoga/i,
    'openid-client': /oauth4webapi\/v/,
    'the sandbox': /oidc-provider/,
    'the validation of company files': /Company file of platform-setup/,
  };

  test.each([[['--version']], [['--help']], [['status']], [['token']]])('%j loads nothing heavy', async args => {
    const texts = await loadedBy(...args);
    // The launcher knows the version by itself.
    if (!args.includes('--version')) expect(texts.length).toBeGreaterThan(0);
    for (const [name, mark] of Object.entries(heavy))
      expect(
        texts.some(text => mark.test(text)),
        name,
      ).toBe(false);
  });

  test('and these marks are found where they should be', async () => {
    const names = (await readdir(buildIn())).filter(name => name.endsWith('.js'));
    const texts = await Promise.all(names.map(name => readFile(join(buildIn(), name), 'utf8')));
    for (const [name, mark] of Object.entries(heavy))
      expect(
        texts.some(text => mark.test(text)),
        name,
      ).toBe(true);
  });
});

describe('the launcher', () => {
  test('is plain enough for Node 12', async () => {
    // Node has parsed `import()` since long before 12, but esbuild counts only versions without a flag for it.
    const source = (await readFile(launcher, 'utf8')).replaceAll('import(', 'load(');
    const old = await transform(source, {target: 'node12', format: 'cjs'});
    const now = await transform(source, {target: 'esnext', format: 'cjs'});
    expect(old.code).toBe(now.code);
  });

  const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.0'}})`;

  /** Runs a launcher under a Node that claims an older version. */
  const onOldNode = async (path: string, ...args: readonly string[]) => {
    const env = {HOME: await temporary(), PATH: process.env.PATH};
    return run(process.execPath, ['--import', pretend, path, ...args], {env, encoding: 'utf8'}).catch(error => error);
  };

  test('goes on with the checkout’s own Node on an older one', async () => {
    const {version} = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(await onOldNode(launcher, '--version')).toMatchObject({stdout: `${version}\n`});
  });

  test('says exactly what to type where there is none and nobody to ask', async () => {
    const directory = await temporary();
    await cp(join(root, 'bin'), join(directory, 'bin'), {recursive: true});
    const path = join(directory, 'bin/setup.js');
    expect(await onOldNode(path, 'demo', '--layout', 'multi')).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`npx --yes -p node@24 node ${path} demo --layout multi`),
    });
  });

  /** Copies a launcher without the rest of the checkout. */
  const launcherAlone = async (name = '') => {
    const directory = join(await temporary(), name);
    await cp(join(root, 'bin'), join(directory, 'bin'), {recursive: true});
    return {directory, path: join(directory, 'bin/setup.js')};
  };

  test('shows no secret among what to type', async () => {
    const {path} = await launcherAlone();
    const args = [
      'login',
      '--client-secret',
      'canary-1',
      '--client-secret=canary-2',
      '--proxy',
      'http://ann:canary-3@p',
    ];
    const {stderr} = await onOldNode(path, ...args);
    expect(stderr).toContain("--client-secret '***' '--client-secret=***' --proxy 'http://***@p'");
    expect(stderr).not.toContain('canary');
  });

  test('ends with a line of JSON where that was asked for', async () => {
    const {path} = await launcherAlone();
    const {code, stdout, stderr} = await onOldNode(path, '--yes', '--json');
    expect([code, stderr]).toEqual([6, '']);
    expect(JSON.parse(stdout)).toEqual({
      type: 'failed',
      code: 'local-node-old',
      message: expect.stringMatching(/^Node 18\.20\.0 is too old: this program needs 22\.19 or newer\.$/),
      remedy: expect.stringContaining('npx --yes -p node@24'),
    });
  });

  test('does not offer a Node of npm where that could not start', async () => {
    const musl = `${pretend};process.report.getReport=()=>({header:{}})`;
    const {path} = await launcherAlone();
    const env = {HOME: await temporary(), PATH: process.env.PATH};
    const ended = await run(process.execPath, ['--import', musl, path], {env}).catch(error => error);
    expect(ended).toMatchObject({code: 6, stderr: expect.stringContaining('apk add nodejs-current')});
    expect(ended.stderr).not.toContain('npx');
  });

  /**
   * Creates a launcher in a directory of this name, for an old Node, with an npx on PATH and another in the working
   * directory.
   */
  const offered = async (name = '') => {
    const {directory, path} = await launcherAlone(name);
    const [tools, own] = [join(directory, 'tools'), join(directory, 'own')];
    await Promise.all([mkdir(tools), mkdir(own)]);
    const [project, home] = [join(directory, 'project'), join(directory, 'home')];
    const projectBin = join(project, 'node_modules', '.bin');
    await Promise.all([mkdir(projectBin, {recursive: true}), mkdir(home)]);
    for (const where of [project, projectBin, tools]) {
      const script =
        '#!/bin/sh\nprintf "It is %s in %s, with %s.\\n" "$0" "$(pwd)" "$npm_config_registry$NODE_OPTIONS"\n';
      await writeFile(join(where, 'npx'), script, {mode: 0o755});
    }
    await writeFile(join(tools, 'npm'), '#!/bin/sh\necho "https://ann:secret@registry.example/npm/?in=$(pwd)"\n', {
      mode: 0o755,
    });
    const node = join(own, 'node');
    await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
    const open = async () => {
      const terminal = openTerminal(node, ['--import', pretend, path], {
        env: {
          HOME: home,
          PATH: [projectBin, '', '.', tools, '/usr/bin', '/bin'].join(delimiter),
          // As npx passes on the settings of the project's .npmrc.
          npm_config_user_agent: 'npm/10',
          npm_config_registry: 'http://127.0.0.1:1/',
        },
        columns: 300,
        cwd: project,
      });
      onTestFinished(() => terminal.close());
      await terminal.waitFor('[Y/n]');
      return terminal;
    };
    return {own, tools, open, home, project};
  };

  test.each(['', 'a b'])('fetches a Node by an npx of PATH, and by none of the working directory: %j', async name => {
    const {open, tools, home} = await offered(name);
    const terminal = await open();
    expect(terminal.screen()).toContain('Fetch a private node@24 from https://registry.example/npm/ and go on?');
    terminal.press('enter');
    await terminal.waitFor('It is ');
    expect(terminal.screen()).toContain(`It is ${join(tools, 'npx')} in ${home}, with .`);
  });

  test('starts the program where the person stands, under the Node that was fetched', async () => {
    const {directory, path} = await launcherAlone();
    const project = join(directory, 'project');
    await Promise.all([mkdir(project), mkdir(join(directory, 'dist/one'), {recursive: true})]);
    const main = 'export const main = () => console.log(process.cwd(), process.env.SETUP_WORKING_DIRECTORY);';
    await writeFile(join(directory, 'dist/current'), 'one');
    await writeFile(join(directory, 'dist/one/cli.js'), main);
    await writeFile(join(directory, 'package.json'), '{"type": "module"}');
    await writeFile(join(directory, 'bin/package.json'), '{}');
    const env = {HOME: directory, PATH: process.env.PATH, SETUP_WORKING_DIRECTORY: project};
    const {stdout} = await run(process.execPath, [path, 'status'], {env, cwd: directory});
    expect(stdout).toBe(`${project} undefined\n`);
  });

  test.each(['', 'a b'])('fetches it by the npm beside this Node, without a shell: %j', async name => {
    const {open, own} = await offered(name);
    const script = join(own, 'node_modules/npm/bin/npx-cli.js');
    await mkdir(dirname(script), {recursive: true});
    await writeFile(script, 'console.log(JSON.stringify(process.argv.slice(2, 6)), process.argv.length);');
    const terminal = await open();
    terminal.press('enter');
    await terminal.waitFor('["--yes","-p","node@24","node"] 7');
    expect(await terminal.exit).toBe(0);
  });

  test.each([
    ['no', ['n', 'enter']],
    ['Ctrl-C', ['ctrl-c']],
    ['the end of the input', ['\x04']],
  ])('leaves with 130 who does not want that: %s', async (_name, keys) => {
    const terminal = await (await offered()).open();
    terminal.press(...keys);
    expect(await terminal.exit).toBe(130);
  });

  test.skipIf(process.platform === 'win32')('names a directory that Node loads no modules from', async () => {
    const {directory, path} = await launcherAlone('a\\b');
    await mkdir(join(dirname(dirname(path)), 'dist/one'), {recursive: true});
    await writeFile(join(dirname(dirname(path)), 'dist/current'), 'one');
    await writeFile(join(dirname(dirname(path)), 'dist/one/cli.js'), '');
    const error = await run(process.execPath, [path], {env: {HOME: directory}}).catch(caught => caught);
    expect(error).toMatchObject({code: 6, stderr: expect.stringMatching(/backslash in its name: .*a\\b\nMove it/)});
  });

  test('says so when the program is not built', async () => {
    const directory = await temporary();
    await cp(join(root, 'bin'), join(directory, 'bin'), {recursive: true});
    const env = {HOME: directory, PATH: process.env.PATH};
    const error = await run(process.execPath, [join(directory, 'bin/setup.js')], {env}).catch(caught => caught);
    expect(error).toMatchObject({code: 70, stderr: expect.stringContaining('npm ci')});
  });
});

test('the page on assistants says in both places from which release on the tools can be narrowed', () => {
  const page = readFileSync(join(root, 'docs/assistants.md'), 'utf8');
  const since = /From release (\d+\.\d+) on, the control plane lists only some sets/.exec(page)?.[1];
  const told = page.match(/[^.]*(?:\.\d[^.]*)*`t` narrows/)?.[0];
  expect(since).toBeDefined();
  expect(told).toContain(`release ${since} of the platform or a later one`);
});

describe('the pages for contributors name only files that are there', () => {
  test.each(['CONTRIBUTING.md', 'docs/development.md'])('%s', page => {
    const text = readFileSync(join(root, page), 'utf8');
    const paths = [...text.matchAll(/`((?:src|test|bench|docs|scripts|\.github)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
    expect(paths.length).toBeGreaterThan(15);
    expect(paths.filter(path => !existsSync(join(root, path)))).toEqual([]);
  });

  test('each of the four walks leads from file to file', () => {
    const [, walks = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## Four walks');
    const [, ...each] = walks.split(/^\*\*(?=\w)/m);
    const filesOf = (walk: string) => [...walk.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, path = '']) => path);
    expect(each.map(walk => filesOf(walk).length > 10)).toEqual([true, true, true, true]);
    for (const walk of each) {
      const files = filesOf(walk);
      expect(new Set(files).size, walk).toBe(files.length);
      expect(files.filter(path => !existsSync(join(root, 'src', path)))).toEqual([]);
    }
  });
});
