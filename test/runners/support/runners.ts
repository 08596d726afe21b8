import type {Client} from '../../clients/support/clients.ts';

/** A way to start the product from a registry. */
export type Runner = {
  readonly name: string;
  /** The client to install for it, except for npm, which comes with Node. */
  readonly client?: Client;
  /** Files of the project in which it is started. */
  readonly files?: Readonly<Record<string, string>>;
  /** The command that installs the product into the project, unless the runner fetches it for each run. */
  readonly install?: readonly string[];
  readonly start: readonly string[];
  readonly env?: (home: string) => Readonly<Record<string, string>>;
  /** The runtime of entries: its name beside the launcher of the copy. */
  readonly runtime: 'node' | 'bun' | 'deno';
};

const pnpm: Client = {name: 'pnpm', package: 'pnpm', version: '12.21.0', command: 'pnpm'};
const yarn: Client = {name: 'Yarn', package: '@yarnpkg/cli-dist', version: '4.18.1', command: 'yarn'};
const classicYarn: Client = {name: 'Yarn Classic', package: 'yarn', version: '1.22.22', command: 'yarn'};
const bun: Client = {name: 'Bun', package: 'bun', version: '1.4.5', command: 'bun'};
const deno: Client = {name: 'Deno', package: 'deno', version: '2.9.6', command: 'deno'};

const project = {'package.json': '{"name": "project", "private": true}'};
const lock = {'yarn.lock': ''};
const packed = JSON.stringify({
  ...JSON.parse(project['package.json']),
  dependenciesMeta: {'platform-setup': {unplugged: false}},
});

export const runners: readonly Runner[] = [
  {name: 'npx', start: ['npx', '--yes', 'platform-setup'], runtime: 'node'},
  {
    name: 'a project of npm’s',
    files: project,
    install: ['npm', 'install', 'platform-setup'],
    start: ['npx', 'setup'],
    runtime: 'node',
  },
  {name: 'pnpm dlx', client: pnpm, start: ['pnpm', 'dlx', 'platform-setup'], runtime: 'node'},
  {
    name: 'a project of pnpm’s',
    client: pnpm,
    files: project,
    install: ['pnpm', 'add', 'platform-setup'],
    start: ['pnpm', 'exec', 'setup'],
    runtime: 'node',
  },
  {name: 'yarn dlx', client: yarn, start: ['yarn', 'dlx', '--quiet', 'platform-setup'], runtime: 'node'},
  {
    name: 'a project of Yarn’s, with Plug’n’Play',
    client: yarn,
    files: {...project, ...lock},
    install: ['yarn', 'add', 'platform-setup'],
    start: ['yarn', 'setup'],
    runtime: 'node',
  },
  {
    name: 'an archive of Yarn’s, with Plug’n’Play',
    client: yarn,
    files: {'package.json': packed, ...lock},
    install: ['yarn', 'add', 'platform-setup'],
    start: ['yarn', 'setup'],
    runtime: 'node',
  },
  {
    name: 'a project of Yarn’s, with node_modules',
    client: yarn,
    files: {...project, ...lock, '.yarnrc.yml': 'nodeLinker: node-modules\n'},
    install: ['yarn', 'add', 'platform-setup'],
    start: ['yarn', 'setup'],
    runtime: 'node',
  },
  {
    name: 'a project of Yarn Classic’s',
    client: classicYarn,
    files: project,
    install: ['yarn', 'add', 'platform-setup'],
    start: ['yarn', '--silent', 'setup'],
    runtime: 'node',
  },
  {name: 'bunx, with Node', client: bun, start: ['bunx', 'platform-setup'], runtime: 'node'},
  {name: 'bunx, with Bun', client: bun, start: ['bunx', '--bun', 'platform-setup'], runtime: 'bun'},
  {
    name: 'a project of Bun’s',
    client: bun,
    files: project,
    install: ['bun', 'add', 'platform-setup'],
    start: ['bun', 'run', '--bun', 'setup'],
    runtime: 'bun',
  },
  {name: 'deno run', client: deno, start: ['deno', 'run', '-A', 'npm:platform-setup'], runtime: 'deno'},
  {
    name: 'deno run, with a cache elsewhere',
    client: deno,
    start: ['deno', 'run', '-A', 'npm:platform-setup'],
    env: home => ({DENO_DIR: `${home}/elsewhere`}),
    runtime: 'deno',
  },
  {
    name: 'a project of Deno’s',
    client: deno,
    files: project,
    install: ['deno', 'add', 'npm:platform-setup'],
    start: ['deno', 'run', '-A', 'npm:platform-setup'],
    runtime: 'deno',
  },
];
