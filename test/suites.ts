import {availableParallelism} from 'node:os';
import {fileURLToPath} from 'node:url';
import {configDefaults, type TestProjectInlineConfiguration} from 'vitest/config';
import {releases} from '../src/sandbox/releases/releases.ts';

type Config = NonNullable<TestProjectInlineConfiguration['test']>;

/** A program that a suite needs, and how to get it. */
export type Need = {
  readonly command: string;
  /** The Debian package that contains it. */
  readonly debian?: string;
  /** How to get it if no Debian package helps. */
  readonly from?: string;
  /** True if the rest of the suite runs without it and reports what it skipped. */
  readonly isOptional?: true;
};

/** A set of tests that run together, and what they need. */
export type Suite = {
  /** A description of the tests, for a person who looks for the right suite. */
  readonly shows: string;
  /** The duration on two cores, in words. */
  readonly takes: string;
  readonly needs?: readonly Need[];
  readonly isForRoot?: true;
  readonly isForLinux?: true;
  /** True if each test is named when it ends: skipped tests have to be visible. */
  readonly isVerbose?: true;
  /** A variable with whose values the suite is run, once each, or only with the named ones. */
  readonly variants?: {readonly variable: string; readonly values: readonly string[]};
  /** One Vitest project, or several. */
  readonly config: Config | readonly Config[];
};

const debian = (...packages: readonly (string | readonly [command: string, debian: string])[]): readonly Need[] =>
  packages.map(one => (typeof one === 'string' ? {command: one, debian: one} : {command: one[0], debian: one[1]}));

const optional = (needs: readonly Need[]): readonly Need[] => needs.map(need => ({...need, isOptional: true}));

/** Settings of every suite that runs the product against the sandbox. */
const onSandbox: Config = {
  // For a program that hangs, not for a busy machine: there, a test that starts the program twenty times has taken a
  // minute.
  testTimeout: 120_000,
  hookTimeout: 60_000,
  setupFiles: ['fail-on-warnings', 'patient-waits', 'undici-timers'].map(name =>
    fileURLToPath(new URL(`./support/${name}.ts`, import.meta.url)),
  ),
  expect: {poll: {timeout: 15_000}},
  // A worker for each of three hundred files would cost more than most of the files. No file leaves anything behind.
  isolate: false,
  // Many tests wait for a program that they started, or for a server that is slow on purpose. With two workers more, a
  // slow machine exceeded the time in which the program expects an answer.
  maxWorkers: availableParallelism() + 1,
};

const everything = ['test/**/*.test.ts', 'test/**/*.test.tsx'];

/**
 * Tests that start the program or a shell, that go through tables of hostile or broken answers, or that compute for
 * more than five seconds. `npm test` keeps two of the end-to-end files: the first set-up in a real pseudo-terminal, and
 * the command line.
 */
const longTests = [
  'test/e2e/!(command-line).test.ts',
  'test/e2e/!(wizard)/**/*.test.ts',
  'test/e2e/wizard/!(set-up).test.ts',
  ...['diagnosis/remedies', 'diagnosis/slow-idp', 'uninstall/killed'].map(name => `test/flows/${name}.test.ts`),
  'test/command-line/completion-scripts.test.ts',
  'test/sandbox/faults/faults-alone-and-in-pairs.test.ts',
  'test/faults/**/*.test.ts',
  'test/hostile/**/*.test.ts',
  'test/regular-expressions.test.ts',
  'test/build.test.ts',
];

/** The folders of tests that need no pseudo-terminal. */
export const portableRooms: readonly string[] = [
  ...['assistants', 'domain', 'errors', 'flows', 'identity-providers', 'mcp', 'platform', 'ports', 'state'],
];

/** Returns the configuration of a suite with a folder of its own. */
const ofFolder = (name: string, config: Config): Config => ({include: [`test/${name}/**/*.test.ts`], ...config});

/** Real programs, real networks, and hours: `npm test` runs none of this. */
const ownFolders = {
  clients: {
    shows:
      'real assistants from npm, on what `setup mcp connect` wrote and beside what their newest versions write by their own commands; machines that an organisation manages (Linux, root)',
    takes: 'a quarter of an hour',
    needs: optional([...debian('chromium'), {command: 'krb5-config', debian: 'libkrb5-dev'}]),
    isVerbose: true,
    // Each test starts programs of some hundred megabytes.
    config: ofFolder('clients', {fileParallelism: false, testTimeout: 180_000}),
  },
  cluster: {
    shows:
      'detection with real kubectl and helm, on a stand-in Kubernetes API; helm is built with Go where there is none',
    takes: '1 minute, and 5 where helm is built',
    needs: optional([{command: 'go', from: 'https://go.dev/dl'}]),
    isVerbose: true,
    // Tests wait for tools, and for plugins that are slow on purpose.
    config: ofFolder('cluster', {globalSetup: ['test/cluster/support/build-helm.ts'], testTimeout: 60_000}),
  },
  conformance: {
    shows:
      'the official MCP conformance suite: client scenarios through the bridge, server scenarios against the sandbox; each one that does not apply is listed with its reason',
    takes: '1 minute',
    isVerbose: true,
    config: ofFolder('conformance', {testTimeout: 60_000, hookTimeout: 60_000}),
  },
  endurance: {
    shows:
      'bridges and commands ended in the middle of a renewal, busy providers, megabytes that wait, 50,000 calls with tokens of seconds, and a working week by a clock of its own',
    takes: '12 minutes',
    isVerbose: true,
    // Each test is load enough, and some count what a machine does at once.
    config: ofFolder('endurance', {fileParallelism: false, testTimeout: 600_000}),
  },
  networks: {
    shows: 'the built program behind proxies, portals and firewalls, in network namespaces of Linux',
    takes: '7 minutes',
    isForLinux: true,
    isForRoot: true,
    needs: debian(
      ...['squid', 'microsocks', 'conntrack'],
      ...([
        ['dnsmasq', 'dnsmasq-base'],
        ['nft', 'nftables'],
      ] as const),
    ),
    isVerbose: true,
    config: ofFolder('networks', {
      globalSetup: ['test/networks/support/prepare.ts'],
      // Tests wait as long as networks take: an answer after 40 s, or a connection that is given up.
      testTimeout: 150_000,
      hookTimeout: 60_000,
      // Each situation has namespaces of its own, so two run side by side. More would be slow for lack of processors.
      maxWorkers: 2,
    }),
  },
  organisation: {
    shows:
      'the playbook and the dev container of an organisation kit, run for real: what they install starts; a Docker daemon, and a base image in DEV_CONTAINER_BASE unless node:24-bookworm can be fetched',
    takes: '6 minutes',
    isForLinux: true,
    isForRoot: true,
    needs: debian(['ansible-playbook', 'ansible-core'], ['docker', 'docker.io']),
    isVerbose: true,
    // Each test has the directories of a whole machine to itself.
    config: ofFolder('organisation', {
      globalSetup: ['test/organisation/support/prepare.ts'],
      fileParallelism: false,
      testTimeout: 600_000,
    }),
  },
  providers: {
    shows:
      'the built program and its flows on real identity providers, with real Chromium, from the sign-in to its end: Keycloak with forty ways to refuse one (KEYCLOAK_VERSION=22.0.5 for another release of it), and a table of flows on others (`-- --project others` leaves Keycloak out); each is fetched once',
    takes: '8 minutes',
    needs: [
      ...debian('chromium'),
      {command: 'java', from: 'Java 17 or newer'},
      ...debian(['mvn', 'maven']),
      ...optional([
        ...debian('python3', 'glewlwyd'),
        {command: 'go', from: 'https://go.dev/dl'},
        {
          command: 'plackup',
          debian: 'liblemonldap-ng-portal-perl libplack-perl libstring-random-perl libgd-securityimage-perl',
        },
      ]),
    ],
    isVerbose: true,
    // Each step waits for a server and for a browser.
    config: [
      {
        name: 'keycloak',
        include: ['test/providers/keycloak/**/*.test.ts'],
        globalSetup: ['test/providers/support/start-keycloak.ts'],
        ...{testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2},
      },
      {
        name: 'others',
        include: ['test/providers/others/**/*.test.ts'],
        ...{testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2},
      },
    ],
  },
  runners: {
    shows:
      'the packed product, in two versions from a registry on loopback, started by npm, pnpm, Yarn, Bun and Deno: the demonstration, then entries that outlive the cache, the project and an upgrade; the runners themselves are installed from npm, once',
    takes: '5 minutes',
    isVerbose: true,
    config: ofFolder('runners', {
      globalSetup: ['test/runners/support/prepare.ts'],
      testTimeout: 240_000,
      maxWorkers: 2,
    }),
  },
  servers: {
    shows:
      'MCP servers of the Python SDK, the Go SDK, mcp-go and the Rust SDK, each answer through the bridge compared with a direct connection’s, by clients of every revision; then the same through mcp-remote, supergateway and mcp-proxy, as a table',
    takes: '2 minutes, once they are installed',
    needs: optional([
      ...debian('python3'),
      {command: 'go', from: 'https://go.dev/dl'},
      {command: 'cargo', from: 'https://rustup.rs'},
    ]),
    isVerbose: true,
    config: ofFolder('servers', {testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: 2}),
  },
  systems: {
    shows:
      'the built program in another’s home, on mounted files, on file systems that know no modes, with few files and processes',
    takes: '1 minute',
    isForLinux: true,
    isForRoot: true,
    needs: debian('bindfs'),
    isVerbose: true,
    config: ofFolder('systems', {
      globalSetup: ['test/systems/support/prepare.ts'],
      testTimeout: 60_000,
      maxWorkers: 2,
    }),
  },
  tarball: {
    shows:
      'the packed program, installed under Node 20, 22 and 24 and run from another directory; two builds compared byte for byte (npm’s registry, for the Nodes)',
    takes: '2 minutes',
    isVerbose: true,
    config: ofFolder('tarball', {
      globalSetup: ['test/tarball/support/prepare.ts'],
      testTimeout: 300_000,
      hookTimeout: 120_000,
      maxWorkers: 2,
    }),
  },
  terminals: {
    shows:
      'the wizard in mosh, screen and tmux, and in xterm on four backgrounds and with wide signs; screenshots to look at are left in coverage/terminals (fonts: xfonts-base from Debian)',
    takes: '3 minutes',
    needs: debian(
      ...['mosh', 'screen', 'tmux', 'xterm', 'xdotool'],
      ...([
        ['Xvfb', 'xvfb'],
        ['import', 'imagemagick'],
      ] as const),
    ),
    isVerbose: true,
    // A display has one pointer, and one window with the keyboard.
    config: ofFolder('terminals', {fileParallelism: false, testTimeout: 60_000}),
  },
  windows: {
    shows:
      'the built program under a Windows build of Node in Wine, in a home with a space and an umlaut, and the tests of `portable` under the same Node; packages for Windows come from npm, once. WINDOWS_ROUNDS=100 for more than ten rounds of each race, WINDOWS_NODE=24.21.0 for another Node, which needs Wine 10',
    takes: 'a quarter of an hour',
    needs: debian(['wine', 'wine wine64']),
    isVerbose: true,
    // There is one Windows with one registry.
    config: ofFolder('windows', {
      globalSetup: 'test/windows/support/wine-prefix.ts',
      testTimeout: 300_000,
      fileParallelism: false,
    }),
  },
} as const satisfies Readonly<Record<string, Suite>>;

const withoutOwnFolders = [...configDefaults.exclude, ...Object.keys(ownFolders).map(name => `test/${name}/**`)];

/** Every suite by its name. `npm test` runs `unit`. */
export const suites: Readonly<Record<string, Suite>> = {
  unit: {
    shows: 'what `npm test` runs: everything that needs Node alone and does not take long',
    takes: '2 minutes',
    config: {...onSandbox, include: everything, exclude: [...withoutOwnFolders, ...longTests]},
  },
  long: {
    shows:
      'what takes long: the built program end to end, in a pseudo-terminal, a pipe and a browser, and broken and hostile answers in every flow; CI runs it after `npm test`',
    takes: '6 minutes',
    config: {...onSandbox, include: longTests},
  },
  tables: {
    shows:
      'all of `unit` and `long`, with the tables of fault pairs and of releases whole; those go through a third of each, or less',
    takes: 'half an hour',
    // The suite `faults` runs the table of faults.
    config: {
      ...onSandbox,
      include: everything,
      exclude: [...withoutOwnFolders, 'test/faults/**'],
      env: {WHOLE_TABLES: '1'},
    },
  },
  faults: {
    shows:
      '390 faults of a platform, each with twelve flows of this program: what each ends with, and that nothing leaks or is left behind; hostile texts in every command. `long` goes through a few of them',
    takes: '5 minutes',
    config: {
      ...onSandbox,
      include: ['test/faults/**/*.test.ts'],
      env: {WHOLE_TABLES: '1'},
      ...{testTimeout: 120_000, hookTimeout: 60_000, maxWorkers: 2},
    },
  },
  properties: {
    shows:
      '90,000 files and 50,000 sequences of commands that fast-check makes up, always the same ones: the editors of JSON, TOML and YAML, and whose each member of a file is, whatever is done in whichever order; `npm test` goes through 2,100 files and 200 sequences',
    takes: 'a quarter of an hour',
    config: {
      ...onSandbox,
      include: ['test/assistants/editors/*-properties.test.ts', 'test/flows/assistants/ownership-model.test.ts'],
      env: {WHOLE_PROPERTIES: '1'},
      ...{testTimeout: 3_600_000, maxWorkers: 2},
    },
  },
  portable: {
    shows:
      'the tests that need no pseudo-terminal, on Windows as well; .github/workflows/test.yml runs it on every system',
    takes: '3 minutes',
    config: {...onSandbox, include: portableRooms.map(room => `test/${room}/**/*.test.ts`)},
  },
  releases: {
    shows:
      'every test that uses a platform, on each release of the sandbox in turn, or on those that are named; `npm test` runs them on 0.14',
    takes: 'a quarter of an hour for each',
    variants: {variable: 'TEST_RELEASE', values: Object.keys(releases)},
    config: {
      ...onSandbox,
      include: ['flows', 'state', 'command-line', 'dialogue', 'bridge', 'e2e'].map(room => `test/${room}/**/*.test.ts`),
    },
  },
  ...ownFolders,
};
