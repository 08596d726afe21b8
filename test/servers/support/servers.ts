import {copyFileSync} from 'node:fs';
import {join} from 'node:path';
import {onPath} from '../../cluster/support/tools.ts';
import {reservedPort} from '../../e2e/support/ports.ts';
import {installPackages} from '../../providers/setups/python.ts';
import {type Installed, installed} from '../../providers/support/cache.ts';
import {run, startProgram} from '../../providers/support/program.ts';

const here = join(import.meta.dirname, '..');

/** A server of an SDK, in the language of that SDK. */
export type Server = {
  readonly name: string;
  readonly version: string;
  /**
   * The arguments for its manner of answering: an event stream unless JSON is named, with sessions unless `stateless`
   * is.
   */
  readonly manners: readonly string[];
  readonly install: () => Promise<Installed>;
  /** @param directory where it was installed */
  readonly command: (directory: string) => readonly [command: string, ...args: readonly string[]];
};

const everyManner = ['', 'json', 'json stateless'] as const;

const python = (version: string): Server => ({
  name: 'Python SDK',
  version,
  manners: everyManner,
  install: () => installPackages(`mcp-python-${version}`, [`mcp==${version}`]),
  command: directory => [join(directory, 'bin', 'python'), join(here, 'python-sdk.py')],
});

/** Builds a Go program with the packages that it imports. */
const installGo = async (name: string, source: string, module: string): Promise<Installed> => {
  if (onPath('go') === undefined) return {missing: 'Go is not on PATH'};
  return installed(name, async directory => {
    copyFileSync(join(here, source), join(directory, 'main.go'));
    const go = (...args: readonly string[]) => run('go', args, {cwd: directory});
    await go('mod', 'init', 'server');
    await go('get', module);
    await go('mod', 'tidy');
    await go('build', '-o', 'server', '.');
  });
};

const goSdk = (version: string): Server => ({
  name: 'Go SDK',
  version,
  manners: everyManner,
  install: () => installGo(`mcp-go-sdk-${version}`, 'go-sdk.go', `github.com/modelcontextprotocol/go-sdk@v${version}`),
  command: directory => [join(directory, 'server')],
});

/** The packages that the Rust program uses. The first is the SDK. */
const crates = (version: string): readonly (readonly string[])[] => [
  [`rmcp@=${version}`, '--features', 'server,macros,schemars,elicitation,transport-streamable-http-server'],
  ['axum'],
  ['serde', '--features', 'derive'],
  ['tokio', '--features', 'full'],
];

const rustSdk = (version: string): Server => ({
  name: 'Rust SDK',
  version,
  manners: everyManner,
  install: async () => {
    if (onPath('cargo') === undefined) return {missing: 'Rust (cargo) is not on PATH'};
    return installed(`mcp-rust-sdk-${version}`, async directory => {
      const cargo = (...args: readonly string[]) => run('cargo', args, {cwd: directory});
      await cargo('init', '--quiet', '--vcs', 'none', '--name', 'server');
      for (const words of crates(version)) await cargo('add', '--quiet', ...words);
      copyFileSync(join(here, 'rust-sdk.rs'), join(directory, 'src', 'main.rs'));
      await cargo('build', '--quiet');
    });
  },
  command: directory => [join(directory, 'target', 'debug', 'server')],
});

const mcpGo = (version: string): Server => ({
  name: 'mcp-go',
  version,
  // It answers with JSON until it has something to report before the answer.
  manners: ['', 'stateless'],
  install: () => installGo(`mcp-go-${version}`, 'mcp-go.go', `github.com/mark3labs/mcp-go@v${version}`),
  command: directory => [join(directory, 'server')],
});

/**
 * The tested servers, with the newest version of each SDK. For Python also the last one that speaks only with a
 * handshake.
 */
export const servers: readonly Server[] = [
  python('1.30.0'),
  python('2.3.0'),
  goSdk('1.8.0'),
  mcpGo('1.2.1'),
  rustSdk('3.11.0'),
];

export const titleOf = ({name, version}: Pick<Server, 'name' | 'version'>) => `${name} ${version}`;

/** Starts a server with this manner of answering, on a port that no other program uses. */
export const startServer = async (server: Server, directory: string, manner: string) => {
  const port = await reservedPort();
  const origin = `http://127.0.0.1:${port}`;
  const [command, ...args] = server.command(directory);
  const words = [...args, String(port), ...manner.split(' ').filter(Boolean)];
  const isUp = async () => (await fetch(`${origin}/mcp`, {method: 'OPTIONS'})).status > 0;
  return {origin, end: await startProgram({command, args: words, cwd: directory}, origin, isUp)};
};
