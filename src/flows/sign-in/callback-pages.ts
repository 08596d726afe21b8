import type {SetupError} from '../../errors/errors.ts';
import type {CallbackPage} from '../../ports/browser/callback.ts';

/** What the browser says at the end of a sign-in: what happened, and what to do next. */
export const signedInPage: CallbackPage = {
  status: 200,
  title: 'You are signed in',
  text: 'Your sign-in has reached the terminal, which continues by itself.',
  next: 'You can close this window.',
  mood: 'good',
};

export const failedPage = ({message, remedy}: SetupError): CallbackPage => ({
  status: 400,
  title: 'Sign-in failed',
  text: message,
  next: `Go back to the terminal. ${remedy}`,
  mood: 'bad',
});

/** For an answer to another attempt, a second tab, or a guess. Nothing of it is shown, as anybody may have written it. */
export const strayPage: CallbackPage = {
  status: 400,
  title: 'This is not the expected answer',
  text: 'It belongs to another sign-in, or is incomplete. The terminal is still waiting.',
  next: 'Use the window that the terminal opened last, or copy its address again.',
  mood: 'bad',
};

/** For a reload, or a browser that fetched the address twice. */
export const alreadyPage: CallbackPage = {
  status: 200,
  title: 'This sign-in is already complete',
  text: 'The terminal has received it.',
  next: 'You can close this window.',
  mood: 'good',
};
