// Bundles the program: one entry for the commands, split so that each loads only what it uses, and one file for the
// sandbox, which shares nothing with it and runs in a process of its own.
import {readFile} from 'node:fs/promises';
import {basename, relative} from 'node:path';
import {fileURLToPath} from 'node:url';
import {build} from 'esbuild';
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
  // CommonJS libraries in an ES module bundle call `require` for Node's own modules.
  banner: {
    js: "import {createRequire as __createRequire} from 'node:module';const require=__createRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

/** Returns a library's file with one place changed. Fails if a new version no longer has that place. */
const patched = async (path, place, put) => {
  const source = await readFile(path, 'utf8');
  const contents = source.replace(place, put);
  if (contents === source) throw new Error(`${path} is not what the build expects. Look at its new version.`);
  return {contents};
};

/** The program never uses HTTP/2, whose half of undici costs 7 MiB in every process that makes a call. */
const withoutHttp2 = {
  name: 'undici-without-http2',
  setup: ({onLoad}) =>
    onLoad({filter: /undici\/lib\/dispatcher\/client-h2\.js$/}, () => ({contents: 'module.exports = undefined;'})),
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
    {
      // Yoga's loader gets its WebAssembly by fetch() of a data: URL, for which Node loads a whole HTTP client: a
      // sixth of the time to the first frame. With the bytes it compiles at once.
      name: 'yoga-from-bytes',
      setup: ({onLoad}) =>
        onLoad({filter: /yoga-wasm-base64-esm\.js$/}, ({path}) =>
          patched(
            path,
            /H="data:application\/octet-stream;base64,([^"]+)"/,
            (_, bytes) => `H="data:application/octet-stream;base64,";w=Buffer.from("${bytes}","base64")`,
          ),
        ),
    },
    {
      // At the first character beyond ASCII, string-width compiles the set of all emoji sequences, which takes 10 ms
      // or more. A single code unit that is not an emoji by itself is not in the set.
      name: 'string-width-without-emoji',
      setup: ({onLoad}) =>
        onLoad({filter: /string-width\/index\.js$/}, ({path}) =>
          patched(
            path,
            'rgiEmojiRegex.test(segment)',
            () => '(segment.length > 1 || /\\p{Emoji_Presentation}/u.test(segment)) && rgiEmojiRegex.test(segment)',
          ),
        ),
    },
    withoutHttp2,
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
