import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Context} from '../src/domain/context.ts';
import {startSandbox} from '../src/sandbox/sandbox.ts';
import {launcher} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {measurePeak, type Peak} from './whole-process.ts';

const CONNECT = [launcher, 'mcp', 'connect', 'claude-code', '--method', 'bridge', '--yes', '--json'];

/** Measures `setup` with large files: a `~/.claude.json` of megabytes, and a thousand contexts of its own. */
export const measureLarge = async (runs: number): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const sandbox = await startSandbox({layout: 'single', baseDomain: 'bench.localhost', port: 0});
  const homes: Surroundings[] = [];
  const home = (contexts: number, megabytes: number): Surroundings => {
    const surroundings = createSurroundings();
    homes.push(surroundings);
    setUp(surroundings, sandbox.ready, contexts);
    if (megabytes > 0) writeFileSync(join(surroundings.env.HOME ?? '', '.claude.json'), claudeJson(megabytes));
    return surroundings;
  };
  try {
    const [none, ten, fifty, many] = [home(1, 0), home(1, 10), home(1, 50), home(1_000, 0)];
    const connect = (where: Surroundings) => () => measurePeak(CONNECT, where);
    const connecting = {none: connect(none), ten: connect(ten), fifty: connect(fifty)};
    const listing = {
      one: () => measurePeak([launcher, 'status'], none),
      ten: () => measurePeak([launcher, 'status'], ten),
      many: () => measurePeak([launcher, 'status'], many),
      list: () => measurePeak([launcher, 'mcp', 'list'], many),
    };
    await inRounds(1, connecting);
    const connected = await inRounds(runs, connecting);
    const listed = await inRounds(runs, listing);
    return {
      [`setup mcp connect, a ~/.claude.json of some size (${runs} runs)`]: [
        ...rowsOf('none', connected.none),
        ...rowsOf('10 MB', connected.ten, ['aim ≤ 1 s', 'aim ≤ 200 MiB']),
        ...rowsOf('50 MB', connected.fifty, ['aim ≤ 4 s', 'aim ≤ 500 MiB']),
      ],
      [`setup status and mcp list (${runs} runs)`]: [
        ...rowsOf('status, one context', listed.one),
        ...rowsOf('status, its entries in 10 MB', listed.ten),
        ...rowsOf('status, 1,000 contexts', listed.many, ['aim ≤ 0.3 s']),
        ...rowsOf('mcp list, 1,000 contexts', listed.list, ['aim ≤ 0.3 s']),
      ],
    };
  } finally {
    await sandbox.close();
    for (const {remove} of homes) remove();
  }
};

const rowsOf = (label: string, peaks: readonly Peak[], [time, memory]: readonly string[] = []): Row[] => {
  const memories = peaks.flatMap(({mebibytes}) => (mebibytes === undefined ? [] : [mebibytes]));
  return [
    {label, summary: summarise(peaks.map(({ms}) => ms)), unit: 'ms', ...(time ? {aim: time} : {})},
    ...(memories.length > 0
      ? [
          {
            label: `${label}, most memory`,
            summary: summarise(memories),
            unit: 'MiB',
            ...(memory ? {aim: memory} : {}),
          } as const,
        ]
      : []),
  ];
};

type Ready = Awaited<ReturnType<typeof startSandbox>>['ready'];

const setUp = ({env}: Surroundings, {controlPlaneUrl, observerUrl, authUrl, clients}: Ready, count: number) => {
  const directory = join(env.HOME ?? '', '.config', 'platform-setup');
  const {clientId = '', clientSecret = ''} =
    clients.find(one => one.tokenEndpointAuthMethod === 'client_secret_basic') ?? {};
  const contexts = Array.from({length: count}, (_, index): Context => {
    const issuer = index === 0 ? authUrl : `https://idp.bench-${index}.example`;
    const addresses = {controlPlaneUrl, observerUrl, authUrl: issuer, issuer};
    const kind = {platform: 'bundled', baseDomain: 'bench.localhost', layout: 'single', signIn: 'mcp-client'} as const;
    return {...addresses, ...kind, name: `bench-${index}`, clientId};
  });
  mkdirSync(directory, {recursive: true, mode: 0o700});
  const write = (name: string, value: object) =>
    writeFileSync(join(directory, name), JSON.stringify(value), {mode: 0o600});
  write('config.json', {version: 1, currentContext: 'bench-0', contexts});
  const credentials = contexts.map(({issuer}) => ({issuer, clientId, clientSecret}));
  write('credentials.json', {version: 1, place: 'file', credentials});
};

/** Makes the file as Claude Code writes it: most of it is the history of each project. */
export const claudeJson = (megabytes: number): string => {
  const display = 'please find out why the “checkout” service fails in staging, and mend it\n'.repeat(3);
  const history = Array.from({length: 100}, () => ({display, pastedContents: {}}));
  const project = {allowedTools: ['Bash(npm test)'], history, mcpServers: {}, hasTrustDialogAccepted: true};
  const count = Math.ceil((megabytes * 1_000_000) / JSON.stringify({project}, null, 2).length);
  const projects = Array.from({length: count}, (_, index) => [`/home/ann/projects/${index}`, project]);
  const mcpServers = {github: {type: 'http', url: 'https://github.example/mcp'}};
  return JSON.stringify({numStartups: 812, projects: Object.fromEntries(projects), mcpServers}, null, 2);
};
