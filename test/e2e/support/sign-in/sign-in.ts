import {expect} from 'vitest';
import {developer, navigate, signInAt} from '../../../support/browser.ts';
import type {Terminal} from '../../../support/terminal/terminal.ts';
import type {Platform} from '../platform.ts';
import type {RunningSetup} from '../run.ts';
import {openSetup} from '../wizard.ts';

/** An authorization request that stands alone on its line and is not wrapped. */
const address = /(?:^|\n)(https?:\/\/\S+\/oauth2\/authorize\?\S+)\r?\n/;

/** The marks around the text of a link (OSC 8). */
const linkMarks = /\u001B\]8;[^\u0007]*\u0007/g;

/** Waits until the terminal shows the address to sign in at. */
export const addressIn = (terminal: Terminal): Promise<string> =>
  terminal.until('The address to sign in at', () => address.exec(terminal.raw().replaceAll(linkMarks, ''))?.[1]);

/** Waits until a program without a terminal prints the address to sign in at. */
export const addressFrom = async (run: RunningSetup): Promise<string> => (await run.prints(address))[1] ?? '';

/** The wizard's text while it waits for the browser. */
export const waits = 'Waiting for your browser';

type Options = Parameters<typeof openSetup>[1] & {readonly args?: readonly string[]};

/** Opens the wizard, and presses Enter until it waits for the browser. */
export const waitForBrowser = async ({flags}: Platform, {args = [], ...options}: Options = {}) => {
  const terminal = openSetup(['--no-browser', ...flags, ...args], options);
  await terminal.waitFor('Use this deployment');
  terminal.press('enter');
  await terminal.waitFor('❯ In the browser');
  terminal.press('enter');
  const url = await addressIn(terminal);
  await terminal.waitFor(waits);
  return {terminal, url};
};

/** Signs in as a browser does, up to the page that confirms it. */
export const signInAndReturn = async (url: string, person: Parameters<typeof signInAt>[1] = developer) => {
  const page = await navigate(await signInAt(url, person));
  expect(page).toMatchObject({status: 200, text: expect.stringContaining('You are signed in')});
};

/** Returns every address to sign in at that a terminal has shown so far. */
export const addressesIn = (raw: string): readonly string[] =>
  [...raw.matchAll(new RegExp(address, 'g'))].map(([, url = '']) => url);
