import {describe, expect, test} from 'vitest';
import {rowOf} from '../../src/errors/error-table.ts';
import {REFUSED_NEW} from '../../src/errors/shared-advice.ts';
import {verdictOf} from '../../src/flows/diagnosis/diagnose.ts';
import {type FaultName, faults} from '../../src/sandbox/faults.ts';
import {subjectIn} from '../../src/state/diagnosis/subject-from-state.ts';
import {platformForTest} from '../e2e/support/platform.ts';
import {diagnosed} from '../flows/diagnosis/scene.ts';
import {questionIn} from '../support/standing-wizard.ts';
import {longRows, rowsOfTable} from '../support/tables.ts';
import {firstRunWith, standingAt} from './support/first-run.ts';

/** What the headline of a first run has to say when a platform has a fault, in the browser's sign-in. */
const words = {
  'idp-down': /^The identity provider closed the connection/,
  'control-plane-503': /^The control plane is not ready/,
  'observer-missing': /^The observer is not running, or not at this address/,
  'clock-ahead': /^This computer’s clock and the server’s disagree/,
  'idp-html': /^The network sent a page of its own instead of the answer from the identity provider/,
  'idp-busy': /^The identity provider is too busy/,
  'lost-answer': /^The identity provider closed the connection before its answer was complete/,
  'wrong-issuer': /^The identity provider is not the one that was expected/,
  'no-pkce': /^The identity provider does not offer PKCE/,
  'unknown-client': /^The identity provider does not know this client/,
  'missing-redirect': /^The identity provider does not accept the redirect URL/,
  'opaque-tokens': /^The identity provider issues tokens that are not JWTs/,
  'wrong-audience': /^The token was issued for another audience/,
  'old-control-plane': /The control plane is older than 0\.14/,
  'mcp-busy': /^The MCP server of the control plane is too busy/,
  'mcp-html': /^The MCP server of the control plane does not follow the MCP protocol/,
  'mcp-401': /^The MCP server of the control plane does not accept the token/,
  'mcp-403': /^The MCP server of the control plane does not allow this account/,
  'missing-scope': /^The token lacks a scope that the MCP server of the control plane requires/,
  'port-taken': /^The port that is needed is in use/,
} satisfies {readonly [F in FaultName]?: RegExp};

/** Faults that a first run does not meet, or whose tests need longer or authorities of a whole process. */
const elsewhere: readonly FaultName[] = [
  ...(['no-refresh', 'refresh-refused', 'mcp-forgets', 'mcp-breaks-off'] as const),
  ...(['slow-idp', 'expired-certificate', 'self-signed'] as const),
];

test('every fault is in the table, or is met elsewhere', () => {
  expect([...Object.keys(words), ...elsewhere].toSorted()).toEqual(Object.keys(faults).toSorted());
});

const rows = Object.entries(words) as readonly (readonly [FaultName, RegExp])[];

/** Faults for which the flows themselves wait, for seconds. */
const slow: readonly FaultName[] = ['control-plane-503', 'observer-missing', 'mcp-busy'];

/** A part of the table, or all of it; each release has another part. */
const some = (offset: number) => [
  ...rowsOfTable(
    rows.filter(([fault]) => !slow.includes(fault)),
    offset,
  ),
  ...longRows(rows.filter(([fault]) => slow.includes(fault))),
];

describe.each([
  ['0.14', 0],
  ['1.2', 1],
] as const)('a first run on release %s', (release, offset) => {
  test.each(some(offset))('names %s, in the wizard and in its diagnosis', async (fault, expected) => {
    const platform = await platformForTest({release});
    platform.bind({claim: 'groups', value: 'developers'});
    const {wizard, failure, ports} = await firstRunWith(fault, 'browser', platform);
    const subject = subjectIn(wizard.state()) ?? expect.fail('There are addresses to look at.');
    const {sentence, handOn} = verdictOf((await diagnosed(subject, platform.redirectUri, ports)).outcomes);
    expect(sentence).toMatch(expected);
    // An old control plane still works.
    if (!failure) return expect(fault).toBe('old-control-plane');
    expect(failure.headline).toMatch(expected);

    // A token of a moment ago is refused for its settings, so no further sign-in is suggested.
    if (fault === 'mcp-401') expect(failure.remedy).toBe(REFUSED_NEW);
    // Whoever can act finds how: the person a choice beside leaving, the operators a line with the code.
    const {whose} = rowOf(failure.code);
    const [first] = questionIn(wizard.state()).offers;
    if (whose !== 'platform') expect(first).not.toHaveProperty('leave');
    if (whose !== 'you') expect(handOn).toMatch(/^To your platform team: .+ Code: [a-z-]+\./);
    else expect(handOn).toBeUndefined();
  });
});

test('a platform that was installed anew during a run leads to a new sign-in, however young the token is', async () => {
  const platform = await platformForTest();
  const {wizard, failure} = await firstRunWith('mcp-403', 'browser', platform);
  expect(failure?.code).toBe('auth-permission-missing');
  await platform.renewKeys();
  await platform.mend();
  wizard.dispatch({type: 'retried'});
  const again = (await standingAt(wizard)).failure;
  expect(again).toMatchObject({
    code: 'auth-token-refused',
    message: expect.stringContaining('no longer publishes: the provider was reinstalled'),
    remedy: expect.stringMatching(/^Sign in again\./),
  });
  expect(questionIn(wizard.state()).offers[0]).toMatchObject({label: 'Sign in again'});
});
