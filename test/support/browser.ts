import {createBrowser} from '../sandbox/identity/browser.ts';

type Person = {readonly username: string; readonly password: string};

export const developer: Person = {username: 'developer', password: 'developer'};

/**
 * Signs a person in at an authorization request as a browser would, up to the redirect to the program. Returns the
 * redirect address without opening it.
 */
export const signInAt = async (authorizationUrl: string, person: Person = developer): Promise<URL> => {
  const browser = createBrowser();
  const start = await browser.visit(authorizationUrl);
  const gate = start.headers.location ?? '';
  const page = await browser.visit(gate);
  const submitted = await browser.submit(page, gate, person);
  let location = new URL(submitted.headers.location ?? '', gate);
  while (location.origin === new URL(gate).origin) {
    const next = await browser.visit(location);
    location = new URL(next.headers.location ?? '', location);
  }
  return location;
};

/** Opens an address as a browser navigates, and returns what it shows. */
export const navigate = async (url: URL): Promise<{status: number; text: string}> => {
  const {status, text} = await createBrowser().visit(url, {headers: {'sec-fetch-mode': 'navigate'}});
  const words = text.replaceAll(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  return {status, text: words};
};
