import {type Advice, phrase, type SuggestedCommand, signIn, type Text} from './remedy.ts';

/**
 * Returns advice for a person whose browser cannot bring its answer back to this machine. They can always paste the
 * address in a terminal, whatever the identity provider offers.
 *
 * @param first what makes the browser come back, as the beginning of a sentence
 */
export const orByHand = (first: string): Advice => ({
  do: `${first}, or paste the address that the browser ended up at.`,
  flag: phrase`To paste it, run ${signIn()} in a terminal.`,
});

/** Further advice for the same person if the identity provider offers the device flow. */
export const orByCode: Advice = {do: 'Or sign in with a code', command: signIn('--device')};

/** Advice about a missing role, for the end of a remedy: the role may come back by itself. */
export const AFTER_UPGRADE =
  'If the platform has just been upgraded, wait a minute first: its roles may not be back yet.';

/** The remedy for a token that was refused although it was just issued: only the server's settings can change that. */
export const REFUSED_NEW =
  'The token was issued a moment ago, so signing in again won’t help. Ask the platform’s operators to compare the token’s issuer and audience with the ones their server expects, then try again.';

/** The remedy for a clock that differs from the server's. */
export const CLOCK_REMEDY =
  'Correct this computer’s clock, for example by turning network time on. If it is right, tell the platform’s operators.';

/** The remedy of a person whose account has no role at the control plane. */
export const ASK_FOR_ROLE = 'Ask an administrator of the platform to give your account a role.';

/**
 * Returns the flags of `mcp connect` that grant a role to the account of the assistants.
 *
 * @param hasApi whether the control plane can be asked to grant it; otherwise only kubectl can grant it
 */
export const grantFlags = ({purpose = 'look'}: {readonly purpose?: string}, hasApi: boolean): string =>
  `--assistants-as ${purpose} --role ${hasApi ? 'grant' : 'kubectl'}`;

/**
 * Returns advice about assistants to which the control plane offers no tools, because their account has no role.
 *
 * @param connect the command that grants it; undefined if the assistants act as the person
 */
export const askForRole = (connect: SuggestedCommand | string | undefined): Text =>
  connect === undefined
    ? ASK_FOR_ROLE
    : phrase`If you may grant the role, run ${connect}. Otherwise ask an administrator of the platform.`;
