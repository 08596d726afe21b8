/** What stands in the place of a token after a sign-out: no server takes it, and a person who finds it knows why. */
export const SIGNED_OUT_TOKEN = 'signed-out-by-platform-setup';

/** The same in a header. */
export const SIGNED_OUT = `Bearer ${SIGNED_OUT_TOKEN}`;
