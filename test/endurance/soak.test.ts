import {expect, test} from 'vitest';
import {mcpServer} from '../bridge/support/mcp-server.ts';
import {startBridge} from '../e2e/support/bridge.ts';
import {signedIn} from '../e2e/support/sign-in/signed-in.ts';
import {contextAt} from '../support/context.ts';
import {singleUseProvider} from './support/single-use-provider.ts';

const CALLS = Number(process.env.ENDURANCE_CALLS ?? 50_000);

/** The number of calls in flight at any time. */
const AT_ONCE = 16;

const RESTARTS = 10;

/** In milliseconds: the lifetime that the tokens get. */
const TOKEN_LIFE = 5_000;

test(`${CALLS} calls with tokens of five seconds, over ten restarts: nothing lost or doubled, memory flat`, async () => {
  const provider = await singleUseProvider({lifetime: TOKEN_LIFE / 1000});
  /** The time at which each token was first seen. */
  const since = new Map<string, number>();
  const isAlive = (token: string) => {
    const now = Date.now();
    since.set(token, since.get(token) ?? now);
    return provider.accepts(token) && now - (since.get(token) ?? 0) < TOKEN_LIFE;
  };
  const server = await mcpServer({accepts: isAlive});
  const now = Date.now();
  const {store, options} = signedIn(provider.issuer, {obtainedAt: now, expiresAt: now + TOKEN_LIFE});
  store.putContexts([{...contextAt(provider.issuer), controlPlaneUrl: server.origin}], 'acme');
  const bridge = startBridge(['control-plane'], options.surroundings);
  await bridge.initialize();

  let begun = 0;
  let restarts = 0;
  const failed: unknown[] = [];
  const caller = async () => {
    while (begun < CALLS) {
      begun += 1;
      const own = begun;
      if (own % Math.floor(CALLS / (RESTARTS + 1)) === 0) {
        restarts += 1;
        await server.restart();
      }
      const answer = await bridge.request('echo', {number: own});
      if (answer.result?.number !== own) failed.push(answer);
    }
  };
  const run = () => Promise.all(Array.from({length: AT_ONCE}, caller));
  const all = CALLS;
  let before = 0;
  const measured = (async () => {
    while (begun < all / 10) await new Promise(resolve => setTimeout(resolve, 100));
    before = await bridge.memory();
  })();
  await run();
  await measured;
  const after = await bridge.memory();
  process.stdout.write(
    `${begun} calls, ${provider.asked.length} renewals, ${before.toFixed(1)} MiB, then ${after.toFixed(1)} MiB\n`,
  );
  expect(failed).toEqual([]);
  expect(restarts).toBeGreaterThanOrEqual(RESTARTS);
  const ids = bridge.lines.map(line => JSON.parse(line)).flatMap(({id, result}) => (result ? [id] : []));
  expect(new Set(ids).size).toBe(ids.length);
  expect(provider.isEnded()).toBe(false);
  expect(after - before).toBeLessThan(10);
});
