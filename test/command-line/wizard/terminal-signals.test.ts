import {describe, expect, test} from 'vitest';
import {meansOf, signalTerminal, type TerminalMeans} from '../../../src/command-line/wizard/terminal-signals.ts';
import type {WizardEvent} from '../../../src/state/events.ts';
import {standing} from '../../support/standing-wizard.ts';
import {at} from '../../support/states.ts';

describe('what a terminal can do', () => {
  test.each([
    ['xterm', {TERM: 'xterm-256color'}, {hasTitle: true, notifies: 'bell'}],
    ['iTerm2', {TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app'}, {hasTitle: true, notifies: 'osc-9'}],
    ['Ghostty', {TERM: 'xterm-ghostty', TERM_PROGRAM: 'ghostty'}, {hasTitle: true, notifies: 'osc-9'}],
    ['Ghostty over SSH', {TERM: 'xterm-ghostty', SSH_TTY: '/dev/pts/1'}, {hasTitle: true, notifies: 'osc-9'}],
    ['kitty', {TERM: 'xterm-kitty', KITTY_WINDOW_ID: '1'}, {hasTitle: true, notifies: 'osc-9'}],
    ['foot', {TERM: 'foot'}, {hasTitle: true, notifies: 'osc-777'}],
    ['urxvt', {TERM: 'rxvt-unicode-256color'}, {hasTitle: true, notifies: 'osc-777'}],
    [
      'tmux',
      {TERM: 'screen-256color', TMUX: '/tmp/tmux', TERM_PROGRAM: 'iTerm.app'},
      {hasTitle: true, notifies: 'bell'},
    ],
    ['screen', {TERM: 'xterm-256color', STY: '1.pts', KITTY_WINDOW_ID: '1'}, {hasTitle: false, notifies: 'bell'}],
    ['the console of Linux', {TERM: 'linux'}, {hasTitle: false, notifies: 'bell'}],
    ['an unknown one', {}, {hasTitle: false, notifies: 'bell'}],
  ] as const)('%s', (_name, env, means) => {
    expect(meansOf(env)).toEqual(means);
  });

  test('is not used where the person wants none of it', () => {
    expect(meansOf({TERM: 'xterm', SETUP_SIGNALS: 'off'})).toBeUndefined();
    expect(meansOf({TERM: 'xterm', SETUP_SIGNALS: 'on'})).toBeDefined();
  });
});

const waiting: WizardEvent = {
  type: 'sign-in-waiting',
  url: 'http://idp.acme.localhost/authorize',
  redirectUri: 'http://127.0.0.1:55152/auth-callback',
  until: 0,
  listening: true,
  device: false,
};
const obtained: WizardEvent = {type: 'token-obtained', account: 'ann', fingerprint: 'abc', renewable: true};
const failed = {type: 'failed', failure: {step: 'obtain-token'}} as WizardEvent;
const back: WizardEvent = {type: 'went-back', to: 'sign-in'};

/** Returns what is written while these events happen. */
const written = (means: TerminalMeans | undefined, ...events: readonly WizardEvent[]) => {
  const texts: string[] = [];
  const listeners = new Set<(event: WizardEvent) => void>();
  const subscribe = (listener: (event: WizardEvent) => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const raw = {write: (text: string) => texts.push(text) > 0};
  const end = signalTerminal({state: () => at['obtain-token'], subscribe}, {raw, means});
  for (const event of events) for (const listener of listeners) listener(event);
  end();
  expect(listeners.size).toBe(0);
  return texts;
};

const bell = {hasTitle: false, notifies: 'bell'} as const;

describe('the title of the tab', () => {
  test('says which part is on, once, and the former one comes back', () => {
    expect(written({hasTitle: true, notifies: 'bell'}, back, back)).toEqual([
      '\u001B[22;2t\u001B]2;Platform setup: Sign in\u0007',
      '\u001B[23;2t',
    ]);
  });

  test('follows the wizard to its end', () => {
    const wizard = standing(at.deployment);
    const texts: string[] = [];
    const raw = {write: (text: string) => texts.push(text) > 0};
    signalTerminal(wizard, {raw, means: {hasTitle: true, notifies: 'bell'}})();
    signalTerminal(standing(at.done), {raw, means: {hasTitle: true, notifies: 'bell'}})();
    expect(texts.join('')).toMatch(/Platform setup: Deployment\u0007.*Platform setup: Done\u0007/);
  });

  test('is left alone where it cannot be put back', () => {
    expect(written(bell, back)).toEqual([]);
  });
});

describe('a person in the browser is called back', () => {
  test.each([
    ['osc-9', '\u001B]9;You are signed in.\u0007'],
    ['osc-777', '\u001B]777;notify;Platform setup;You are signed in.\u0007'],
    ['bell', '\u0007'],
  ] as const)('by %s, once', (notifies, text) => {
    expect(written({hasTitle: false, notifies}, waiting, obtained, obtained)).toEqual([text]);
  });

  test('also if the sign-in failed', () => {
    expect(written({hasTitle: false, notifies: 'osc-9'}, waiting, failed)).toEqual([
      '\u001B]9;The sign-in failed.\u0007',
    ]);
  });

  test('unless they were never there, or have come back themselves', () => {
    expect(written(bell, obtained)).toEqual([]);
    expect(written(bell, waiting, back, obtained)).toEqual([]);
    expect(written(bell, waiting)).toEqual([]);
  });

  test('unless they do not want to be', () => {
    expect(written(undefined, waiting, obtained)).toEqual([]);
  });
});
