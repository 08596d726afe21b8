import {once} from 'node:events';
import {mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {dirname} from 'node:path';
import {allAssistants} from '../src/assistants/catalogue/all.ts';
import {bundleHello} from './hello/bundle.ts';
import {claudeJson} from './large.ts';
import {launcher} from './launcher.ts';
import {residentMemory} from './resident-memory.ts';
import {inRounds} from './rounds.ts';
import {besideHello} from './start-up.ts';
import {percentile, summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {openTerminal} from './terminal.ts';

/** Presses in one run: as many as fit well into the two seconds that a search takes at most. */
const PRESSES = 24;

/** The size of the largest file that an assistant has, in megabytes. */
const LARGE = 10;

type Session = {
  /** Milliseconds from each key to the last byte of the frame that answers it. */
  readonly keys: readonly number[];
  /** In MiB, at the end. Undefined if the system does not report it. */
  readonly memory: number | undefined;
};

/**
 * Measures how soon a key is on the screen while five and more calls hang and every assistant has files, one of them
 * large; and how much memory the wizard takes at its end.
 */
export const measureKeys = async (runs: number): Promise<Readonly<Record<string, Row[]>>> => {
  const [surroundings, full] = [createSurroundings(), createSurroundings()];
  putAssistants(full);
  const silent = await listenInSilence();
  try {
    const hello = await bundleHello(surroundings.directory);
    const base = (label: string) => `http://${label}.nothing.localhost:${silent.port}`;
    const search = [
      ...['--base-domain', 'nothing.localhost', '--control-plane-url', base('api')],
      ...['--observer-url', base('observer'), '--auth-url', base('idp')],
    ];
    const {wizard, ink} = await inRounds(runs, {
      wizard: () =>
        press(
          [launcher, ...search],
          'Looking for',
          turn => (turn % 2 ? ['?', 'Looking for'] : ['?', 'leave at once']),
          full,
        ),
      ink: () => press([hello], '? keys', turn => ['x', `Hello ${turn + 1}`], surroundings),
    });
    const through = await inRounds(3, {demo: () => walkThrough(surroundings)});
    const [own, other] = [wizard, ink].map(sessions => sessions.flatMap(({keys}) => keys));
    const memory = (sessions: readonly Session[]) =>
      sessions.flatMap(({memory}) => (memory === undefined ? [] : [memory]));
    const atEnd = memory(through.demo);
    return {
      [`A key to the screen, while calls hang (${runs} runs of ${PRESSES} keys)`]: [
        {label: 'Ink hello-world, median', isOther: true, summary: summarise(other ?? []), unit: 'ms'},
        {
          label: 'setup, median',
          summary: summarise(own ?? []),
          unit: 'ms',
          against: `× ${(summarise(own ?? []).median / summarise(other ?? []).median).toFixed(2)}`,
          aim: 'aim ≤ 16 ms',
        },
        {
          label: 'setup, 99th percentile',
          summary: {...summarise(own ?? []), median: percentile(own ?? [], 0.99)},
          unit: 'ms',
          aim: 'aim ≤ 50 ms',
        },
      ],
      'Memory at the end of the demonstration (3 runs)':
        atEnd.length === 0
          ? []
          : [
              {
                label: 'setup demo',
                summary: summarise(atEnd),
                unit: 'MiB',
                ...besideHello(summarise(atEnd).median - summarise(memory(ink)).median),
              },
            ],
    };
  } finally {
    silent.close();
    for (const one of [surroundings, full]) one.remove();
  }
};

/** Puts a file of every assistant into the home, as if all of them were installed. */
const putAssistants = ({env, directory}: Surroundings) => {
  const home = env.HOME ?? '';
  const place = {home, project: directory, system: 'linux', env} as const;
  for (const path of allAssistants.flatMap(({files}) => files('user', place))) {
    mkdirSync(dirname(path), {recursive: true});
    writeFileSync(path, path.endsWith('.claude.json') ? claudeJson(LARGE) : '');
  }
};

/** Starts a server that accepts every connection and never answers. */
const listenInSilence = async () => {
  const server = createServer(socket => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('A server on TCP has a port.');
  return {port: address.port, close: () => server.close()};
};

type Turn = readonly [key: string, answer: string];

const press = async (
  args: readonly string[],
  ready: string,
  turnOf: (turn: number) => Turn,
  where: Surroundings,
): Promise<Session> => {
  const terminal = openTerminal(args, where);
  await terminal.shows(ready);
  const keys: number[] = [];
  for (let turn = 0; turn < PRESSES; turn += 1) {
    const [key, answer] = turnOf(turn);
    const started = performance.now();
    terminal.write(key);
    await terminal.shows(answer);
    keys.push(performance.now() - started);
  }
  const memory = residentMemory(terminal.pid);
  await terminal.leave();
  return {keys, memory};
};

/** Goes through the demonstration with Enter, from its first question to its last screen. */
const walkThrough = async (where: Surroundings): Promise<Session> => {
  const terminal = openTerminal([launcher, 'demo'], where);
  for (const question of ['Use this deployment', 'Create an MCP client', 'Which assistants', 'enter write']) {
    await terminal.shows(question);
    terminal.write('\r');
  }
  await terminal.shows('All set:');
  const memory = residentMemory(terminal.pid);
  await terminal.leave();
  return {keys: [], memory};
};
