import type {Effect} from './effect.ts';

/** The redirect URI of some other program on the same machine. */
export const missingRedirect: Effect = {
  cliClient: client => ({...client, redirectUris: ['http://127.0.0.1:18910/other-callback']}),
};
