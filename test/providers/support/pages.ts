import type {Page} from 'playwright-core';
import type {Person} from './realm.ts';

/** Types a name and a password into Keycloak's sign-in page, which the browser is on. */
export const typeCredentials = async (page: Page, {username, password}: Person) => {
  await page.getByLabel('Username or email').fill(username);
  await page.locator('#password').fill(password);
  await page.getByRole('button', {name: 'Sign In', exact: true}).click();
};

/** Opens the address of a sign-in, and signs a person in, up to the page of the program that asked. */
export const signInOn = async (page: Page, url: string, person: Person) => {
  await page.goto(url);
  await typeCredentials(page, person);
  await ended(page);
};

/** Until the browser is back at the program that asked. */
export const ended = (page: Page) => page.waitForURL(({pathname}) => pathname === '/auth-callback');

/** Sets the password that the account has to have before anything else. */
export const setPassword = async (page: Page, password: string) => {
  await page.locator('#password-new').fill(password);
  await page.locator('#password-confirm').fill(password);
  await page.getByRole('button', {name: 'Submit'}).click();
};

/** Agrees to what a client asks for, or does not. */
export const decide = (page: Page, answer: 'Yes' | 'No') =>
  page.getByRole('button', {name: answer, exact: true}).click();
