import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {runSetup} from '../e2e/support/run.ts';
import {signedIn} from '../e2e/support/sign-in/signed-in.ts';
import {serve} from '../support/server.ts';

/** Starts a provider that answers so many requests per second, and 429 to the others. */
const limited = async (most: number) => {
  const times: number[] = [];
  let answered = 0;
  let refused = 0;
  const issuer: string = await serve((request, response) => {
    const now = performance.now();
    const isBusy = times.filter(time => now - time < 1000).length >= most;
    if (isBusy) {
      refused += 1;
      response.writeHead(429, {'Retry-After': '1'}).end();
      return;
    }
    times.push(now);
    request.resume().on('end', () => {
      answered += 1;
      const body = {access_token: `access-${answered}`, refresh_token: 'r', token_type: 'Bearer', expires_in: 3600};
      response.writeHead(200, {'Content-Type': 'application/json'}).end(JSON.stringify(body));
    });
  });
  return {issuer, answered: () => answered, requests: () => answered + refused};
};

/** Writes the provider's metadata as an earlier sign-in saved it. */
const keepMetadata = (directory: string, issuer: string) => {
  const body = {issuer, token_endpoint: `${issuer}/oauth2/token`};
  const providers = {[issuer]: {metadata: {body, until: Date.now() + 3_600_000}}};
  writeFileSync(join(directory, 'identity-providers.json'), JSON.stringify({version: 1, providers}));
};

test('sixty processes of twelve homes in one minute, at five requests a second: twelve renewals, few more requests', async () => {
  const provider = await limited(5);
  const homes = Array.from({length: 12}, () => {
    const home = signedIn(provider.issuer);
    keepMetadata(home.store.directory, provider.issuer);
    return home;
  });
  const ends: number[] = [];
  for (let wave = 0; wave < 5; wave += 1) {
    const runs = await Promise.all(homes.map(({options}) => runSetup(['token'], options)));
    ends.push(runs.filter(({code}) => code === 0).length);
    if (wave < 4) await delay(5_000);
  }
  expect(provider.answered()).toBe(12);
  expect(provider.requests()).toBeLessThanOrEqual(24);
  expect(ends.at(-1)).toBe(12);
});

test('a hundred calls in five seconds on a provider that is down: two requests at most', async () => {
  let requests = 0;
  const issuer: string = await serve((_request, response) => {
    requests += 1;
    response.writeHead(502).end();
  });
  const {options, store} = signedIn(issuer);
  keepMetadata(store.directory, issuer);
  const end = performance.now() + 5_000;
  let calls = 0;
  while (performance.now() < end) {
    const runs = await Promise.all(Array.from({length: 10}, () => runSetup(['token'], options)));
    calls += runs.length;
    for (const {code} of runs) expect(code).toBe(5);
  }
  process.stdout.write(`${calls} calls, ${requests} requests\n`);
  expect(requests).toBeLessThanOrEqual(2);
});
