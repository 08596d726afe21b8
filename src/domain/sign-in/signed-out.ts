/** Stands in a kept copy where an access token of ours stood. */
export const ACCESS_TOKEN = '<access token>';

/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT_TOKEN = 'signed-out-run-npx-setup';

/** The same in a header. */
export const SIGNED_OUT = `Bearer ${SIGNED_OUT_TOKEN}`;
