import {once} from 'node:events';
import {createServer, type Server} from 'node:http';
import {join} from 'node:path';
import {launcher} from './launcher.ts';
import {inRounds} from './rounds.ts';
import {signIn} from './signed-in.ts';
import {summarise} from './statistics.ts';
import {createSurroundings, type Surroundings} from './surroundings.ts';
import type {Row} from './table.ts';
import {measureProcess} from './whole-process.ts';

/** The number of processes that want a new token at the same moment. */
const AT_ONCE = 20;

const HOUR = 3_600_000;

/**
 * Measures `setup token`: with a valid token, beside Node that does nothing, and with an expired one, alone and many
 * at once.
 */
export const measureToken = async (
  runs: number,
  parallelRuns: number,
): Promise<Readonly<Record<string, readonly Row[]>>> => {
  const place = createSurroundings();
  const surroundings = {...place, env: {...place.env, SETUP_HOME: join(place.directory, 'setup')}};
  const provider = await startProvider();
  try {
    return {
      [`setup token, a token that is good (${runs} runs)`]: await good(runs, provider, surroundings),
      [`setup token, a token that has ended (${parallelRuns} runs)`]: await ended(parallelRuns, provider, surroundings),
    };
  } finally {
    provider.close();
    place.remove();
  }
};

const good = async (runs: number, {issuer}: Provider, surroundings: Surroundings): Promise<readonly Row[]> => {
  signIn(surroundings, issuer, {obtainedAt: Date.now(), expiresAt: Date.now() + HOUR});
  const measures = {
    node: () => measureProcess(['-e', '0'], surroundings),
    token: () => measureProcess([launcher, 'token'], surroundings),
    json: () => measureProcess([launcher, 'token', '--json'], surroundings),
  };
  await inRounds(2, measures);
  const samples = await inRounds(runs, measures);
  const [node, token, json] = [summarise(samples.node), summarise(samples.token), summarise(samples.json)];
  const against = ({median}: {median: number}) => `× ${(median / node.median).toFixed(2)}`;
  return [
    {label: 'node -e 0', isOther: true, summary: node, unit: 'ms'},
    {label: 'setup token', summary: token, unit: 'ms', against: against(token), aim: 'aim ≤ 1.3 × bare Node'},
    {label: 'setup token --json', summary: json, unit: 'ms', against: against(json)},
  ];
};

const ended = async (runs: number, provider: Provider, surroundings: Surroundings): Promise<readonly Row[]> => {
  let most = 0;
  /** Returns the milliseconds to the last of `count` tokens. */
  const renew = async (count: number) => {
    signIn(surroundings, provider.issuer, {obtainedAt: 1, expiresAt: 2});
    const before = provider.requests();
    const all = Array.from({length: count}, () => measureProcess([launcher, 'token'], surroundings));
    const slowest = Math.max(...(await Promise.all(all)));
    most = Math.max(most, provider.requests() - before);
    return slowest;
  };
  const samples = await inRounds(runs, {one: () => renew(1), many: () => renew(AT_ONCE)});
  return [
    {label: 'one process', summary: summarise(samples.one), unit: 'ms'},
    {
      label: `${AT_ONCE} processes at once, to the last token`,
      summary: summarise(samples.many),
      unit: 'ms',
      against: `${most} asked`,
      aim: 'aim: 1 asks, for all',
    },
  ];
};

type Provider = {readonly issuer: string; requests(): number; close(): void};

/** Starts an identity provider that returns a new token at once, and counts the requests. */
const startProvider = async (): Promise<Provider> => {
  let requests = 0;
  const server: Server = createServer((request, response) => {
    const isToken = request.url === '/token';
    if (isToken) requests += 1;
    const tokens = {
      access_token: `access-${requests}`,
      refresh_token: `refresh-${requests}`,
      token_type: 'Bearer',
      expires_in: HOUR / 1000,
    };
    const metadata = {issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks`};
    request.resume().once('end', () => {
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(isToken ? tokens : metadata));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {issuer, requests: () => requests, close: () => void server.close().closeAllConnections()};
};
