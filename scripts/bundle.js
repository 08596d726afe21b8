// Bundles the program: one entry for the commands, split so that each loads only what it uses, and one file for the
// sandbox, which shares nothing with it and runs in a process of its own.
import {readFile} from 'node:fs/promises';
import {basename, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
import {stringWidth} from '../patches/string-width.js';
import {undici} from '../patches/undici.js';
import {yogaLayout} from '../patches/yoga-layout.js';
import {deferredBuiltins} from './deferred-builtins.js';
import {writeManPages} from './man-pages.ts';
import {mergeChunks} from './merge-chunks.js';
import {writeThirdParty} from './third-party.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const {version} = JSON.parse(await readFile(`${root}package.json`, 'utf8'));

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node22.19',
  minify: true,
  metafile: true,
  legalComments: 'eof',
  // jsonc-parser's CommonJS build loads its parts in a way that no bundler recognises. Its ES module build is
  // complete.
  mainFields: ['module', 'main'],
  define: {
    'process.env.NODE_ENV': '"production"',
    // Ink loads its developer tools only if this variable is set. With this definition they are not bundled.
    'process.env.DEV': '"false"',
    // With this definition undici omits its second HTTP parser, as in its own bundles.
    esbuildDetection: 'true',
    'process.env.JEST_WORKER_ID': 'undefined',
    SETUP_VERSION: JSON.stringify(version),
  },
  // CommonJS libraries in an ES module bundle call `require` for Node's own modules. Marked as pure, it goes where a
  // merged chunk has none.
  banner: {
    js: "import {createRequire as __createRequire} from 'node:module';const require=/* @__PURE__ */(()=>__createRequire(import.meta.url))();",
  },
  logLevel: 'warning',
};

/**
 * Returns a plugin that changes places of a library, as a file of `patches/` says. The build fails if a new version of
 * the library no longer has one of them.
 */
const patch = (name, {file, changes}) => ({
  name: `patch-${name}`,
  setup: ({onLoad}) =>
    onLoad({filter: file}, async ({path}) => {
      const contents = changes.reduce(
        (source, {place, put}) => {
          const changed = source.replace(place, put);
          if (changed === source) throw new Error(`${path} no longer has the place that patches/${name}.js changes.`);
          return changed;
        },
        await readFile(path, 'utf8'),
      );
      return {contents};
    }),
});

const withoutHttp2 = patch('undici', undici);

/** Gives the OAuth client the classes that this program uses, instead of Node's own. */
const fetchClasses = {
  name: 'fetch-classes',
  setup: ({onLoad}) =>
    onLoad({filter: /\/(?:openid-client|oauth4webapi)\/build\/index\.js$/}, async ({path}) => {
      const source = await readFile(path, 'utf8');
      if (!source.includes('new Headers(')) throw new Error(`${path} no longer uses the classes that it is given.`);
      return {contents: `import {Headers, Response} from '${root}src/ports/network/fetch-classes.ts';\n${source}`};
    }),
};

/** The program itself, split into what each command loads. The separate bundles are external. */
export const program = {
  ...common,
  // The entries after the first are loaded on demand, also by the bridge's own bundle.
  entryPoints: {
    cli: 'src/cli.ts',
    'config-writer': 'src/store/config-writer.ts',
    translation: 'src/bridge/eras/translation.ts',
  },
  splitting: true,
  chunkNames: '[name]-[hash]',
  external: ['react-devtools-core', '@napi-rs/keyring'],
  plugins: [
    deferredBuiltins,
    patch('yoga-layout', yogaLayout),
    patch('string-width', stringWidth),
    withoutHttp2,
    fetchClasses,
    {
      name: 'sandbox-apart',
      setup: ({onResolve}) =>
        onResolve({filter: /\/sandbox\/sandbox\.ts$/}, () => ({path: './sandbox.js', external: true})),
    },
  ],
};

const asOneFile = {...common, format: 'cjs', banner: {}, outExtension: {'.js': '.cjs'}};

/**
 * `setup token` if nothing has to be renewed: the launcher reads it before anything else, and so without Node's
 * loader.
 */
export const token = {...asOneFile, entryPoints: {token: 'src/quick-token.ts'}};

/**
 * The bridge. An assistant starts it for every session, often several at once. As one file that needs no loader it
 * answers 20 ms sooner. It is the program itself with only this command.
 */
export const bridge = {
  ...asOneFile,
  entryPoints: {serve: 'src/cli.ts'},
  external: ['@napi-rs/keyring'],
  plugins: [
    deferredBuiltins,
    withoutHttp2,
    {
      name: 'one-command',
      setup: ({onResolve}) =>
        onResolve({filter: /^(?:\.\.\/)+commands\/.*\.ts$/}, ({path, importer, kind}) =>
          kind === 'dynamic-import' && importer.includes('/command-line/') && path !== '../commands/mcp/serve.ts'
            ? {path, external: true}
            : undefined,
        ),
    },
    {
      name: 'seldom-needed-beside',
      setup: ({onResolve}) =>
        onResolve({filter: /\/(?:config-writer|translation)\.ts$/}, ({path}) => ({
          path: `./${basename(path, '.ts')}.js`,
          external: true,
        })),
    },
  ],
};

/** The sandbox. oidc-provider finds the lifetime of a token by the name of its class, so names are kept. */
const sandbox = {...common, entryPoints: {sandbox: 'src/sandbox/sandbox.ts'}, keepNames: true};

/**
 * Bundles the program into an existing directory, with the licences of its contents and its manual pages.
 *
 * @param directory an absolute path inside of the checkout
 */
export const bundle = async directory => {
  const outdir = relative(root, directory);
  const built = await Promise.all([program, token, bridge, sandbox].map(one => build({...one, outdir})));
  const metafiles = built.map(({metafile}) => metafile);
  await mergeChunks(
    `${directory}/`,
    metafiles[0].outputs,
    {
      core: {name: 'core', entries: ['src/cli.ts', 'src/commands/token.ts', 'src/commands/status.ts']},
      base: {name: 'base', entries: ['src/cli.ts', 'src/commands/setup.ts']},
      heavy: {
        name: 'drawing',
        entries: ['src/command-line/wizard/draw-wizard.tsx', 'src/command-line/diagnosis/draw-diagnostics.tsx'],
      },
    },
    {...common, banner: {}},
  );
  await writeManPages(`${directory}/man`, version);
  await writeThirdParty(metafiles, {root, directory});
};
