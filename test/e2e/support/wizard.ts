import {onTestFinished} from 'vitest';
import {openTerminal, type Terminal} from '../../support/terminal/terminal.ts';
import {launcher} from '../../support/terminal/terminal-environment.ts';

/** Starts the built program in a terminal of its own, closed when the test ends. */
export const openSetup = (args: readonly string[], options: Parameters<typeof openTerminal>[2] = {}): Terminal => {
  const terminal = openTerminal(process.execPath, [launcher, ...args], options);
  onTestFinished(() => terminal.close());
  return terminal;
};

/** The screens of the demonstration that wait for a key, in order, each with words that no other screen shows. */
const shows = {
  deployment: 'Use this deployment',
  'sign-in': 'With a service account',
  assistants: 'Which assistants should',
  review: 'enter write',
  done: 'enter leave',
} as const;

export type ScreenName = keyof typeof shows;

export const screenNames = Object.keys(shows) as readonly ScreenName[];

/** Waits until the wizard shows a screen. */
export const reaches = (terminal: Terminal, name: ScreenName): Promise<string> => terminal.waitFor(shows[name]);

/** Presses Enter on every screen before the named one. */
export const goTo = async (terminal: Terminal, name: ScreenName): Promise<string> => {
  for (const before of screenNames.slice(0, screenNames.indexOf(name))) {
    await reaches(terminal, before);
    terminal.press('enter');
  }
  return reaches(terminal, name);
};

/** Goes from the end of a sign-in to the review, with the assistants that the wizard suggests. */
export const toReview = async (terminal: Terminal): Promise<string> => {
  await reaches(terminal, 'assistants');
  terminal.press('enter');
  return reaches(terminal, 'review');
};

/** Moves by arrow keys to a choice on the screen, and takes it. */
export const choose = async (terminal: Terminal, label: string): Promise<void> => {
  const pointed = () => /❯ (.*)/.exec(terminal.screen())?.[1] ?? '';
  await terminal.waitFor(label);
  for (let before = pointed(); !before.startsWith(label); before = pointed()) {
    terminal.press('down');
    await terminal.until('The next choice', () => (pointed() === before ? undefined : true));
  }
  terminal.press('enter');
};
