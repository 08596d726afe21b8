import type {SetupError} from '../../errors/errors.ts';
import type {CallbackPage} from '../../ports/browser/callback.ts';

/** What the browser says at the end of a sign-in: what happened, and what to do next. */
export const signedInPage: CallbackPage = {
  status: 200,
  title: 'You are signed in',
  text: 'The terminal has your sign-in, and goes on by itself.',
  next: 'You can close this window.',
  mood: 'good',
};

export const failedPage = ({message, remedy}: SetupError): CallbackPage => ({
  status: 400,
  title: 'The sign-in did not work',
  text: message,
  next: `Go back to the terminal. ${remedy}`,
  mood: 'bad',
});

/** For an answer to another attempt, a second tab, or a guess. Nothing of it is shown, as anybody may have written it. */
export const strayPage: CallbackPage = {
  status: 400,
  title: 'This is not the answer that is waited for',
  text: 'It belongs to another attempt to sign in, or is not complete. The sign-in in the terminal still waits.',
  next: 'Use the window that the terminal opened last, or copy its address again.',
  mood: 'bad',
};

/** For a reload, or a browser that fetched the address twice. */
export const alreadyPage: CallbackPage = {
  status: 200,
  title: 'This sign-in is completed already',
  text: 'The terminal has taken its answer.',
  next: 'You can close this window.',
  mood: 'good',
};
