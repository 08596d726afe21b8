import {expect, test} from 'vitest';
import type {Terminal} from '../../../src/command-line/command.ts';
import {createEventWriter} from '../../../src/command-line/output/event-writer.ts';
import type {Facts, WizardState} from '../../../src/state/model.ts';
import {at} from '../../support/states.ts';

const now = (at.done.facts.token?.expiresAt ?? 0) - 3_600_000;

/** Returns the last lines of a run without a wizard that ended in this state. */
const summaryOf = (state: WizardState): readonly string[] => {
  const lines: string[] = [];
  const push = (text: string) => void lines.push(text.trimEnd());
  const stdout = {write: push, tell: push, writeJson: () => {}};
  createEventWriter({stdout} as unknown as Terminal, {json: false, quiet: false, home: '/home/ann'}).done(state, now);
  return lines;
};

const having = (facts: Partial<Facts>): WizardState => ({...at.done, facts: {...at.done.facts, ...facts}});

const found = (...installed: readonly string[]) =>
  (at.done.facts.found ?? []).map(one => ({...one, installed: installed.includes(one.id)}));

const inCursor = (at.done.facts.verified ?? []).map(one => ({
  ...one,
  assistant: 'Cursor',
  path: '/home/ann/.cursor/mcp.json',
}));

test('says that all is set where an assistant was connected', () => {
  const [heading, ...others] = summaryOf(having({found: found(), verified: inCursor}));
  expect(heading).toBe('All set: your assistants can reach acme.localhost');
  expect(others.join('\n')).not.toContain('not connected');
});

test('says that nothing reads a file that no assistant is known to read, and what is left to do', () => {
  const lines = summaryOf(having({found: found()}));
  expect(lines[0]).toBe('.mcp.json is ready for your assistant');
  expect(lines[1]).toMatch(/^ {2}MCP JSON: control plane 25 tools, .*through .*mcp\.json$/);
  expect(lines.at(-2)).toMatch(
    /^ {2}If your assistant does not find this file by itself, add its path to the assistant’s settings: .*mcp\.json$/,
  );
});

test('says that no assistant is connected after a sign-in alone', () => {
  const {verified: _, written: __, plan: ___, found: ____, ...facts} = at.done.facts;
  expect(summaryOf({...at.done, facts})).toEqual([
    'You are signed in to acme.localhost as mcp_client',
    '  No assistant is connected. To connect one: npx setup mcp connect',
  ]);
});

test('names the assistants that are on the machine and were left out', () => {
  const note = '  claude-code is not connected. To connect later: npx setup mcp connect claude-code';
  expect(summaryOf(having({found: found('claude-code'), verified: inCursor}))).toContain(note);
  expect(summaryOf(having({found: found('claude-code')}))).toContain(note);
  // An organisation decides there.
  const blocked = found('claude-code').map(one => ({...one, blockedBy: '/etc/managed.json'}));
  expect(summaryOf(having({found: blocked, verified: inCursor})).join('\n')).not.toContain('claude-code');
});

test('says nothing of that in the demonstration, which reads the file itself', () => {
  const demo = {...at.done, settings: {...at.done.settings, demo: {directory: '/tmp/demo', release: '1.2'}}};
  expect(summaryOf(demo)[0]).toBe('All set: your assistants can reach acme.localhost');
});

test('says when a token that stands in a file expires, and when the sign-in ends', () => {
  const {token} = at.done.facts;
  if (!token) throw new Error('A run that is done has signed in.');
  expect(summaryOf(having({found: found(), token: {...token, renewable: false}})).slice(-2)).toEqual([
    '  The token in these entries expires in 1 h. After that, renew it with npx setup mcp connect',
    '  Your sign-in ends in 1 h. To sign in again, run npx setup',
  ]);
});

test('a quiet run shows where a person has to sign in, and nothing else of what happens', () => {
  const [out, err]: [string[], string[]] = [[], []];
  const into = (list: string[]) => ({tell: (text: string) => void list.push(text), writeJson: () => {}});
  const terminal = {stdout: into(out), stderr: into(err)} as unknown as Terminal;
  const writer = createEventWriter(terminal, {json: false, quiet: true, home: '/home/ann'});
  writer.event({type: 'health-checked', service: 'observer', url: 'http://observer', ms: 3});
  writer.event({
    ...{type: 'sign-in-waiting', url: 'http://idp/authorize', redirectUri: 'http://127.0.0.1/', until: 0},
    ...{listening: true, device: false},
  });
  writer.event({type: 'device-code', verificationUri: 'http://idp/device', userCode: 'AB-CD', until: 0});
  expect(out).toEqual([]);
  expect(err).toEqual([expect.stringContaining('http://idp/authorize'), expect.stringContaining('AB-CD')]);
});
