/** Ending a sign-in: at the identity provider, in the credentials, and in the files that hold its tokens. */
import {lazyFunction} from '../lazy.ts';

export type {SignedOut} from './sign-out.ts';

/** Signs out of a context. */
export const signOut = /* @__PURE__ */ lazyFunction(async () => (await import('./sign-out.ts')).signOut);

/** Where a browser ends its session with an identity provider. */
export const endSession = /* @__PURE__ */ lazyFunction(async () => (await import('./end-session.ts')).endSession);

/** Forgets a code that nobody has typed yet. */
export const dropPending = /* @__PURE__ */ lazyFunction(async () => (await import('./drop-pending.ts')).dropPending);
