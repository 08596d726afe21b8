import {describe, expect, test} from 'vitest';
import {byLayer, layerName, needsAttention, type Outcome, placeOf, verdictOn} from '../../src/domain/finding.ts';

const outcome = (id: string, verdict: Outcome['verdict'], more: Partial<Outcome> = {}): Outcome => ({
  ...{id, title: id, verdict, saw: 'seen', ms: 1},
  ...more,
});

const well = outcome('node', 'pass');
const warned = outcome('clock', 'warning', {
  ...{
    layer: 'platform',
    explain: 'clock',
    sentence: 'The clock of api.acme.example is 2 min ahead. Tokens may look invalid.',
  },
});
const waiting = outcome('sign-in', 'skipped', {layer: 'sign-in', remedy: 'Sign in first.', explain: 'sign-in'});
const baseless = outcome('tools', 'skipped', {layer: 'mcp'});
const failed = outcome('tls', 'fail', {title: 'Certificate', layer: 'network', explain: 'network-tls'});

const on = (...outcomes: readonly Outcome[]) =>
  verdictOn(outcomes, ({explain}) => (explain === 'network-tls' ? 'The certificate is not trusted' : undefined));

describe('the verdict', () => {
  test('is that everything works where nothing is wrong, whatever could not be looked at for want of ground', () => {
    expect(on()).toEqual({state: 'works', sentence: 'Everything works'});
    expect(on(well, baseless)).toEqual({state: 'works', sentence: 'Everything works'});
  });

  test('counts warnings, and goes by the first', () => {
    expect(on(well, warned)).toStrictEqual({
      state: 'warnings',
      sentence: 'No check failed, but there is one warning: The clock of api.acme.example is 2 min ahead',
      ...{layer: 'platform', check: 'clock', code: 'clock'},
    });
    expect(on(warned, well, outcome('rules', 'warning'))).toMatchObject({
      sentence: 'No check failed, but there are 2 warnings: The clock of api.acme.example is 2 min ahead; rules',
      check: 'clock',
    });
    const many = [warned, ...['rules', 'files', 'port'].map(id => outcome(id, 'warning'))];
    expect(on(...many).sentence).toBe(
      'No check failed, but there are 4 warnings, among them: The clock of api.acme.example is 2 min ahead; rules',
    );
  });

  test('is that not everything could be checked where the person can do something about it', () => {
    expect(on(well, waiting)).toStrictEqual({
      state: 'incomplete',
      sentence: 'Nothing is broken so far, but without a sign-in not everything can be checked',
      ...{layer: 'sign-in', check: 'sign-in', code: 'sign-in'},
    });
    expect(on(well, outcome('token', 'skipped', {remedy: 'Go on.'})).sentence).toBe(
      'Nothing is broken so far, but without a valid token not everything can be checked',
    );
    // A warning may be about what stopped the person.
    expect(on(warned, waiting)).toMatchObject({
      sentence:
        'Nothing is broken so far, but there is one warning: The clock of api.acme.example is 2 min ahead. Without a sign-in, not everything can be checked',
      check: 'sign-in',
    });
    expect(on(warned, {...waiting, code: 'auth-declined'}).sentence).toBe(
      'Nothing else is broken, but the last sign-in failed. Sign in again to see whether it works now',
    );
    // A passed check with a remedy does not count.
    expect(on(outcome('node', 'pass', {remedy: 'Update it.'})).state).toBe('works');
  });

  test('is broken at the first failure, whatever else there is', () => {
    expect(on(waiting, warned, well, failed, outcome('later', 'fail'))).toStrictEqual({
      state: 'broken',
      sentence: 'The certificate is not trusted',
      ...{layer: 'network', check: 'tls', code: 'network-tls'},
    });
  });

  test('leaves out what is not known of it', () => {
    expect(on(outcome('later', 'fail'))).toStrictEqual({
      ...{state: 'broken', sentence: 'later failed', check: 'later'},
    });
    expect(on(outcome('later', 'fail', {explain: 'of no name'})).sentence).toBe('later failed');
  });

  test.each([
    ['Health of the observer', 'health of the observer'],
    ['Signing key of the token', 'signing key of the token'],
    ['MCP of the control plane', 'MCP of the control plane'],
    ['MCP of the Sandbox', 'MCP of the Sandbox'],
    ['Version of Node', 'version of Node'],
    ['Node', 'Node'],
    ['Node’s certificates', 'Node’s certificates'],
    ['Nodes', 'nodes'],
    ['own Node', 'own Node'],
    ['own Certificate', 'own Certificate'],
  ])('names the layer and the check where it was reached: %s', (title, shown) => {
    const outcomes = [well, outcome('x', 'fail', {title, layer: 'network'})];
    expect(placeOf(on(...outcomes), outcomes)).toBe(`Network: ${shown}`);
  });

  test('that everything works was reached nowhere', () => {
    expect(placeOf(on(well), [well])).toBeUndefined();
    // The sentence is about a warning as well as about the sign-in, so a single place would be wrong.
    expect(placeOf(on(warned, waiting), [warned, waiting])).toBeUndefined();
  });
});

test.each([
  [failed, true],
  [warned, true],
  [waiting, true],
  [baseless, false],
  [well, false],
  [outcome('node', 'pass', {remedy: 'Update it.'}), false],
])('what a person has to read: %#', (one, is) => {
  expect(needsAttention(one)).toBe(is);
});

test('every layer has a name', () => {
  expect(layerName).toMatchObject({machine: 'This machine', mcp: 'MCP servers', 'sign-in': 'Sign-in and token'});
});

test('outcomes are grouped by layer, troubled by a single one, and those of none are the machine’s', () => {
  const [tcp, node] = [outcome('tcp', 'pass', {layer: 'network'}), outcome('node', 'pass', {layer: 'machine'})];
  expect(byLayer([well, node, tcp, failed])).toEqual([
    {layer: 'machine', outcomes: [well, node], isTroubled: false},
    {layer: 'network', outcomes: [tcp, failed], isTroubled: true},
  ]);
});
