import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';

const run = promisify(execFile);

/** Another program that connects an assistant over standard input and output to an MCP server over HTTP. */
export type Peer = {
  readonly name: string;
  readonly version: string;
  /** Installs it from its registry into an empty directory. Fails if the registry cannot be reached. */
  readonly install: (directory: string) => Promise<void>;
  /** Returns the command that starts it for a server, with a bearer token. */
  readonly command: (directory: string, url: string, token: string) => readonly [command: string, ...string[]];
};

const fromNpm = (name: string, version: string) => async (directory: string) => {
  const packages = ['--prefix', directory, '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
  await run('npm', ['install', ...packages]);
};

const fromPyPi = (name: string, version: string) => async (directory: string) => {
  await run('python3', ['-m', 'venv', directory]);
  const options = ['--quiet', '--disable-pip-version-check'];
  await run(join(directory, 'bin', 'pip'), ['install', ...options, `${name}==${version}`]);
};

/** The programs with which the bridge is compared, in exact versions. None of them is a dependency. */
export const peers: readonly Peer[] = [
  {
    name: 'mcp-remote',
    version: '0.15.1',
    install: fromNpm('mcp-remote', '0.15.1'),
    command: (directory, url, token) => [
      process.execPath,
      join(directory, 'node_modules', 'mcp-remote', 'dist', 'proxy.js'),
      ...[url, '--header', `Authorization:Bearer ${token}`, '--transport', 'http-only'],
    ],
  },
  {
    name: 'supergateway',
    version: '4.0.0',
    install: fromNpm('supergateway', '4.0.0'),
    command: (directory, url, token) => [
      process.execPath,
      join(directory, 'node_modules', 'supergateway', 'dist', 'index.js'),
      ...['--streamableHttp', url, '--oauth2Bearer', token, '--logLevel', 'none'],
    ],
  },
  {
    name: 'mcp-proxy',
    version: '0.13.0',
    install: fromPyPi('mcp-proxy', '0.13.0'),
    command: (directory, url, token) => [
      join(directory, 'bin', 'mcp-proxy'),
      ...['--transport', 'streamablehttp', '--headers', 'Authorization', `Bearer ${token}`, url],
    ],
  },
];
