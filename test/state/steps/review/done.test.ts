import {describe, expect, test} from 'vitest';
import {cursor} from '../../../../src/assistants/catalogue/cursor.ts';
import {generic} from '../../../../src/assistants/catalogue/generic.ts';
import {openchoreo} from '../../../../src/platform/platforms.ts';
import type {Facts, Settings, WizardState} from '../../../../src/state/model.ts';
import {done} from '../../../../src/state/steps/review/done.ts';
import {contextAt} from '../../../support/context.ts';
import {at} from '../../../support/states.ts';

const token = at.done.facts.token as NonNullable<Facts['token']>;

const having = (facts: Facts = {}, settings: Partial<Settings> = {}): WizardState => ({
  ...at.done,
  settings: {...at.done.settings, ...settings},
  facts: {...at.done.facts, ...facts},
});

/** The state in which only the sign-in is saved: no file was written. */
const signedIn: WizardState = {
  ...at.check,
  settings: {...at.check.settings, login: true},
  facts: {...at.check.facts, signInSaved: true},
};

test('the end is never done', () => {
  expect(done.done()).toBe(false);
  expect(done.forgets).toEqual({answers: [], facts: []});
});

describe('the heading', () => {
  const heading = (state: WizardState) => done.ask(state, 0).heading;

  test('says what works', () => {
    expect(done.ask(at.done, 0).isSuccess).toBe(true);
    const again = (resume: 'sign-in' | 'renew') => ({...at.done, answers: {...at.done.answers, resume}});
    expect(heading(again('sign-in'))).toBe('Signed in again. Every entry works.');
    expect(heading(again('renew'))).toBe('Everything works. Every entry is up to date.');
    expect(heading(having({}, {login: true}))).toBe('Signed in again. Every entry works.');
    const place = {assistant: 'generic', scope: 'project', project: '/', method: 'bridge', path: '/x'} as const;
    const entries = [{...place, names: ['mine']}];
    const saved = {...contextAt('http://idp.acme.localhost:8080'), entries};
    const left = (resume: 'sign-in' | 'renew') =>
      heading({...having({}, {saved}), answers: {...at.done.answers, resume}});
    expect([left('sign-in'), left('renew')]).toEqual([
      'Signed in again. Not every entry was renewed.',
      'The platform answers. Some entries were left as you changed them.',
    ]);
    // An entry that works in one file does not vouch for the one of the same name in another file.
    const twice = {...saved, entries: ['/x', '/y'].map(path => ({...place, path, names: ['acme-control-plane']}))};
    const once = {...having({}, {saved: twice}), answers: {...at.done.answers, resume: 'sign-in'} as const};
    expect(heading(once)).toBe('Signed in again. Not every entry was renewed.');
    const {verified = []} = at.done.facts;
    const both = {...once, facts: {...once.facts, verified: verified.flatMap(one => [one, {...one, path: '/y'}])}};
    expect(heading(both)).toBe('Signed in again. Every entry works.');
    expect(heading(at.done)).toBe('.mcp.json is ready for your assistant');
    const cursor = at.done.facts.verified?.map(one => ({...one, assistant: 'Cursor'})) ?? [];
    expect(heading(having({verified: cursor}))).toBe('All set: your assistants can reach the platform');
    expect(heading(signedIn)).toBe('You are signed in to the platform as mcp_client');
    const theirs = {...signedIn, settings: {...signedIn.settings, saved: {...saved, actsAs: 'assistants' as const}}};
    expect(heading(theirs)).toBe('Your assistants are signed in to the platform as mcp_client');
    const check = {...at.done.facts.check, withoutRole: {message: 'No role.', remedy: 'Ask.'}} as never;
    expect(heading(having({check}))).toBe('Connected, but the account lacks a role');
    expect(done.ask(having({check}), 0)).not.toHaveProperty('isSuccess');
    // Assistants with an account of their own do not need the person's role.
    const assistantsAccount = {signIn: 'mcp-client', clientId: 'theirs'} as const;
    const apart = having({check, verified: cursor}, {saved: {...saved, assistantsAccount}});
    const connecting = {...apart, answers: {...apart.answers, resume: 'connect'}} as const;
    expect(done.ask(connecting, 0)).toMatchObject({
      heading: 'All set: your assistants can reach the platform',
      isSuccess: true,
    });
  });

  test('promises no renewal while the identity provider does not answer', () => {
    const providerFault = {message: 'http://idp hung up.', remedy: 'Check the address.'};
    const check = {...at.done.facts.check, providerFault} as never;
    const state = {...having({check}), answers: {...at.done.answers, resume: 'renew'} as const};
    const view = done.ask(state, 0);
    expect(view.heading).toBe('Everything works for now, but your sign-in can’t be renewed');
    expect(view).not.toHaveProperty('isSuccess');
    expect(view.notes).toContain(providerFault.message);
    // The last screen has no choice with which to try again.
    expect(view.notes).not.toContain(providerFault.remedy);
    expect(view.next.map(({before}) => before)).not.toContain('Your sign-in is renewed automatically.');
    expect(view.next).toContainEqual({
      before: 'Access ends in 1 h unless the sign-in can be renewed. Find out why with ',
      strong: 'npx setup doctor',
    });
  });
});

test('another account than before is pointed out', () => {
  const notes = (account: string, resume: 'sign-in' | 'anew') => {
    const saved = {...contextAt('http://idp'), account: 'ann@example.com'};
    const token = {...at.done.facts.token, account} as never;
    return done.ask({...having({token}, {saved}), answers: {...at.done.answers, resume}}, 0).notes;
  };
  const sentence = 'You are now signed in as bob@example.com (previously ann@example.com).';
  expect(notes('bob@example.com', 'sign-in')).toContain(sentence);
  expect(notes('ann@example.com', 'sign-in')).not.toContainEqual(expect.stringContaining('previously'));
  // A person who starts over may mean another deployment.
  expect(notes('bob@example.com', 'anew')).not.toContain(sentence);
});

test('the files that no assistant reads are listed as well, below their directory in the demonstration', () => {
  expect(done.ask(at.done, 0).files).toEqual({
    title: 'Other files:',
    lines: [{path: '~/.config/platform-setup/config.json', change: 'new'}],
  });
  // An unchanged file needs no line.
  const files = at.done.facts.plan?.files.map(file => ({...file, change: 'unchanged' as const})) ?? [];
  expect(done.ask(having({plan: {entries: [], files}}), 0)).not.toHaveProperty('files');
  const demo = done.ask(having({}, {demo: {directory: '/home/ann'}}), 0);
  expect(demo.files).toMatchObject({
    title: 'Other files in /home/ann, which is removed when you leave:',
    lines: [{path: '.config/platform-setup/config.json'}],
  });
  const kept = done.ask(having({}, {demo: {directory: '/home/ann', isKept: true}}), 0);
  expect(kept.files).toMatchObject({title: 'Other files in /home/ann:'});
  expect(done.ask(signedIn, 0)).not.toHaveProperty('files');
});

describe('what is next', () => {
  const next = (state: WizardState, now = 0) =>
    done.ask(state, now).next.map(({before, strong = ''}) => `${before}${strong}`);
  const ask =
    'If your assistant does not find this file by itself, add its path to the assistant’s settings: ~/project/.mcp.json';
  test('names the command that adds the observer, if the person left it out', () => {
    const note =
      'Without the observer, assistants cannot read logs, metrics or traces. To add it later: npx setup --observer-url ADDRESS';
    const addresses = {observerUrl: 'none'} as const;
    const without = {...at.done, answers: {...at.done.answers, addresses}};
    expect(next(without)).toContain(note);
    expect(next(at.done)).not.toContain(note);
    // A flag says it in every run.
    expect(next({...without, initialAnswers: {addresses}})).not.toContain(note);
  });

  const leftOut = 'claude-code is not connected. To connect later: npx setup mcp connect claude-code';
  const undo = 'Undo this run with npx setup undo';

  test('speaks of the token in an entry only if that entry was written or is up to date', () => {
    const place = {scope: 'project', project: '/', method: 'header', names: ['acme-control-plane']} as const;
    const ofTwo = (...ids: readonly string[]) => {
      const entries = ids.map(assistant => ({...place, assistant, path: `/${assistant}.json`}));
      const saved = {...contextAt('http://idp.acme.localhost:8080'), entries};
      const settings = {saved, assistants: [cursor, generic]};
      return next({...having({}, settings), answers: {...at.done.answers, resume: 'sign-in'}});
    };
    const renew = (whose: string) =>
      expect.stringMatching(`^The token in ${whose} expires in 1 h\\. After that, renew it`);
    expect(ofTwo('generic')).toContainEqual(renew('these entries'));
    // Cursor's entries were left as the person had changed them.
    expect(ofTwo('generic', 'cursor')).toContainEqual(renew('the entries of MCP JSON'));
    expect(ofTwo('cursor').join('\n')).not.toContain('The token in');
  });

  test('repeats what was said while the files were written, and no other warning', () => {
    const warnings = [
      {step: 'write', message: 'Could not delete the role binding.'},
      {step: 'plan', message: 'Not limited to looking: Cursor.'},
    ] as const;
    const view = done.ask({...at.done, warnings}, 0);
    expect(view).toMatchObject({notes: expect.arrayContaining(['Could not delete the role binding.'])});
    expect(JSON.stringify(view)).not.toContain('Not limited to looking');
  });

  test('names the command that switches to a deployment which was known, where another one stays current', () => {
    const withContexts = (currentContext: string, ...contexts: NonNullable<WizardState['settings']['contexts']>) =>
      next({...at.done, settings: {...at.done.settings, contextName: 'acme', contexts, currentContext}});
    const some = contextAt('http://idp.acme.localhost:8080');
    const acme = {...some, name: 'acme', baseDomain: at.done.facts.deployment?.baseDomain ?? ''};
    const two = {...some, name: 'two', baseDomain: 'two.example'};
    const switching = 'two stays the current deployment. To switch: npx setup context use acme';
    expect(withContexts('two', acme, two)).toContain(switching);
    // A new context becomes the current one.
    expect(withContexts('two', two)).not.toContain(switching);
    expect(withContexts('acme', acme, two)).not.toContain(switching);
  });

  test('is a renewal where a token stands in a file', () => {
    expect(next(at.done)).toEqual([
      ask,
      leftOut,
      'The token in these entries expires in 1 h. After that, renew it with npx setup mcp connect',
      undo,
    ]);
    expect(next(at.done, 1_800_000)[2]).toContain('expires in 30 min');
    const {expiresAt: _, ...endless} = token;
    expect(next(having({token: endless}))).toEqual([ask, leftOut, undo]);
  });

  test('is an assistant where none is connected, or where one was left out', () => {
    const state: WizardState = {...at.done, facts: {...at.done.facts, found: [], verified: [], written: {paths: []}}};
    expect(next(state)).toContain('No assistant is connected. To connect one: npx setup mcp connect');
    // Assistants of an earlier run are still connected.
    const saved = {name: 'acme', entries: [{assistant: 'cursor'}]} as never;
    const continued = {
      ...state,
      settings: {...state.settings, saved},
      answers: {...state.answers, resume: 'connect'},
    } as const;
    expect(next(continued).join()).not.toContain('No assistant is connected');
    // A run that is given its addresses knows them by the name of its context.
    const entries = [{assistant: 'claude-code'}] as never;
    const contexts = [{...contextAt('http://idp.acme.localhost:8080'), name: 'acme', entries}];
    const named = {...at.done, settings: {...at.done.settings, contextName: 'acme', contexts}};
    expect(next(named).join()).not.toContain('not connected');
    const other = {...named, settings: {...named.settings, contextName: 'other'}};
    expect(next(other).join()).toContain('claude-code is not connected');
    const connect = {assistants: [], scope: 'user', method: 'auto', leftOut: ['generic']} as const;
    const [, left] = next({...at.done, facts: {...at.done.facts, found: []}, answers: {...at.done.answers, connect}});
    expect(left).toBe('MCP JSON is not connected. To connect later: npx setup mcp connect generic');
    const cursor = at.done.facts.verified?.map(one => ({...one, assistant: 'Cursor'})) ?? [];
    expect(next(having({verified: cursor}))[0]).toContain('Try it. Ask your assistant:');
  });

  test('is a sign-in where this one ends', () => {
    expect(next({...signedIn, facts: {...signedIn.facts, token: {...token, signInEndsAt: 7_200_000}}})).toEqual([
      'Your sign-in ends in 2 h. To sign in again, run npx setup',
    ]);
    const over = {...signedIn, facts: {...signedIn.facts, token: {...token, signInEndsAt: -5_695}}};
    expect(next(over)).toEqual(['Your sign-in has ended. To sign in again, run npx setup']);
    const unrenewed = {...token, renewable: false, expiresAt: 3_600_000};
    expect(next({...signedIn, facts: {...signedIn.facts, token: unrenewed}})).toEqual([
      'Your sign-in ends in 1 h. To sign in again, run npx setup',
    ]);
    const renewed = 'Your sign-in is renewed automatically.';
    expect(next(signedIn)).toEqual([renewed]);
    expect(next({...signedIn, facts: {}})).toEqual([renewed]);
    // A run that signs in the assistants' own account says nothing of the person's sign-in.
    const saved = {...contextAt('http://idp'), actsAs: 'assistants'} as const;
    const theirs = {...signedIn, settings: {...signedIn.settings, saved}};
    const ends = {token: {...token, signInEndsAt: 7_200_000}};
    expect(next(theirs)).toEqual(['Your assistants’ sign-in is renewed automatically.']);
    expect(next({...theirs, facts: {...theirs.facts, ...ends}})).toEqual([
      'Your assistants’ sign-in ends in 2 h. To sign in again, run npx setup login --as assistants',
    ]);
    // This token is not renewed, and its end is not known.
    const {expiresAt: _, ...endless} = unrenewed;
    expect(next({...signedIn, facts: {...signedIn.facts, token: endless}})).toEqual([]);
  });

  test('is the real thing after the demonstration', () => {
    expect(next(having({}, {demo: {directory: '/tmp/demo'}}))).toEqual([
      'This was a sandbox. It ends when you leave. For real: npx setup',
    ]);
  });
});

test('how the platform’s own CLI is signed in is said where it was not found', () => {
  const lines = (facts: object, answers: object = {}) => {
    const settings = {...at.done.settings, platform: openchoreo, kinds: [openchoreo]};
    const {next} = done.ask(
      {...at.done, settings, facts: {...at.done.facts, ...facts}, answers: {...at.done.answers, ...answers}},
      0,
    );
    return next.map(({before, strong = ''}) => before + strong);
  };
  const line = 'If you install occ, sign it in with npx setup --cli-config';
  expect(
    lines({ownCli: {installed: false}, deployment: {...at.done.facts.deployment, platform: 'openchoreo'}}),
  ).toContain(line);
  expect(lines({ownCli: {installed: true}})).not.toContain(line);
  expect(lines({ownCli: {installed: false}}, {ownCli: true})).not.toContain(line);
});
