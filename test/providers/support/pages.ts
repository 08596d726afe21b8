import type {Page} from 'playwright-core';
import type {Person} from './realm.ts';

/** Types a name and a password into Keycloak's sign-in page, which the browser shows. */
export const typeCredentials = async (page: Page, {username, password}: Person) => {
  await page.getByLabel('Username or email').fill(username);
  await page.locator('#password').fill(password);
  await page.getByRole('button', {name: 'Sign In', exact: true}).click();
};

/** Opens the address of a sign-in, and signs a person in, up to the page of the program. */
export const signInOn = async (page: Page, url: string, person: Person) => {
  await page.goto(url);
  await typeCredentials(page, person);
  await ended(page);
};

/** Waits until the browser is back at the program. */
export const ended = (page: Page) => page.waitForURL(({pathname}) => pathname === '/auth-callback');

/** Sets the password that the account must change first. */
export const setPassword = async (page: Page, password: string) => {
  await page.locator('#password-new').fill(password);
  await page.locator('#password-confirm').fill(password);
  await page.getByRole('button', {name: 'Submit'}).click();
};

/** Gives or refuses consent to a client. */
export const decide = (page: Page, answer: 'Yes' | 'No') =>
  page.getByRole('button', {name: answer, exact: true}).click();
