import {expect, test} from 'vitest';
import type {FaultName} from '../../../src/sandbox/faults.ts';
import {startBridge} from '../support/bridge.ts';
import {platformForTest} from '../support/platform.ts';
import {runSetup, startSetup, surroundingsForTest} from '../support/run.ts';
import {addressFrom, signInAndReturn} from '../support/sign-in/sign-in.ts';

/** The cause that `doctor` and an assistant both have to name, and advice that neither may give. */
const rows: readonly (readonly [FaultName, RegExp, RegExp | undefined])[] = [
  ['wrong-audience', /The token is for \S+, but the server identifies itself as \S+/, /Sign in again/],
  ['opaque-tokens', /issues access tokens that are not JWTs/, /compare/],
  ['missing-scope', /requires the scope platform:mcp, but the token has openid profile email/, /ask an administrator/],
  ['mcp-html', /returned a web page instead of an MCP reply, although \S+ itself answers/, /your network/],
];

test.each(rows)(
  '%s has one cause in doctor, in mcp tools, in a session of an assistant and in sign_in',
  async (fault, cause, never) => {
    const platform = await platformForTest({faults: [fault]});
    const surroundings = surroundingsForTest();
    const login = startSetup(['login', '--yes', '--no-browser', ...platform.flags], {surroundings});
    await signInAndReturn(await addressFrom(login));
    await login.ended;
    const {stdout} = await runSetup(['doctor', '--json'], {surroundings});
    expect(stdout).toMatch(cause);
    const asked = await runSetup(['mcp', 'tools', 'control-plane'], {surroundings});
    expect(asked.stderr).toMatch(cause);
    if (never) expect(asked.stderr).not.toMatch(never);

    const bridge = startBridge(['control-plane'], surroundings);
    const {result} = await bridge.initialize();
    if (fault === 'missing-scope') {
      expect(result.instructions).toMatch(/login --scopes "openid profile email platform:mcp" --context \w+[^"`]*`/);
    }
    const called = await bridge.request('tools/call', {name: 'sign_in', arguments: {}});
    for (const said of [
      result.instructions,
      fault === 'missing-scope' ? result.instructions : called.result.content[0].text,
    ]) {
      expect(said).toMatch(cause);
      if (never) expect(said).not.toMatch(never);
    }
  },
);
