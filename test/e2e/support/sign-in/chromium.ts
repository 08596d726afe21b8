import {existsSync} from 'node:fs';
import {chromium, type Page} from 'playwright-core';
import {onTestFinished} from 'vitest';
import {createSurroundings} from '../../../support/terminal/terminal-environment.ts';

const places = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of Chromium on this machine. Undefined if there is none. */
export const chromiumPath: string | undefined = places.find(place => place !== '' && existsSync(place));

/** The reason for skipping a test that needs Chromium. */
export const noChromium = 'No Chromium is installed: name one with CHROMIUM=/path/to/it.';

const args = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/**
 * Opens a page in a real browser without a window, and records its requests and complaints. Closed when the test
 * ends.
 */
export const openPage = async () => {
  if (chromiumPath === undefined) throw new Error(noChromium);
  const {env, remove} = createSurroundings();
  // On some systems its launcher is a shell script, which needs the machine's own tools.
  const surroundings = {...env, PATH: process.env.PATH ?? ''};
  const browser = await chromium.launch({executablePath: chromiumPath, args, env: surroundings});
  onTestFinished(async () => {
    await browser.close();
    remove();
  });
  const page = await browser.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', request => requests.push(request.url()));
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  return {page, requests, complaints};
};

/** Opens the address of a sign-in, types a person's name and password into its form, and submits it. */
export const signInOn = async (page: Page, url: string, person: {username: string; password: string}) => {
  await page.goto(url);
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', {name: 'Sign in'}).click();
  await page.waitForURL(({hostname}) => hostname === '127.0.0.1');
};
