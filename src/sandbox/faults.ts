/** The faults that a sandbox can be started with, one at a time, each with what it does. */
export const faults = {
  'slow-idp': 'The identity provider answers discovery and health at once, and everything else only after 30 seconds.',
  'refresh-refused': 'No refresh token is good any more, and access tokens of the CLI end after 35 seconds.',
} as const;

export type Fault = keyof typeof faults;
