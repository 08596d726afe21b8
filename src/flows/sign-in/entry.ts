/** Signing in, as a person or as a client, and keeping the sign-in: its tokens, their renewal and their end. */
import {lazyFunction} from '../lazy.ts';

export type {AssistantRedirect} from './clients/check-assistant-clients.ts';
export type {CreatedClient} from './clients/create-client.ts';
export type {OwnResource} from './kept/find-own-resource.ts';
export type {OtherContext} from './kept/inspect-others.ts';
export type {InspectedSignIn} from './kept/inspect-sign-in.ts';
export type {OwnToken} from './kept/own-token.ts';
export type {Revocation} from './kept/revoke.ts';
export type {SignInToKeep} from './kept/save-sign-in.ts';
/** Words about a sign-in: until when it can be renewed, and what its operators do so that it can be. */
export {onceMore, untilSignInEnds} from './kept/sign-in-end.ts';
export type {OAuthClient} from './oauth/oauth-client.ts';
/** What is wanted of a token, in the words of an identity provider. */
export {askedOf} from './oauth/token-request.ts';
/** Has work done with a token of a context, once more with a new one where that is refused. */
export {renewing} from './renewal/fresh-token.ts';

/** Signs a person in, in a browser or with a code. */
export const signInPerson = /* @__PURE__ */ lazyFunction(
  async () => (await import('./sign-in-person.ts')).signInPerson,
);

/** Signs a client in by its secret. */
export const signInClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./sign-in-client.ts')).signInClient,
);

/** Creates an MCP client at the identity provider, with the rights of an administrator. */
export const createClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./clients/create-client.ts')).createClient,
);

/** The MCP client that is kept from an earlier run. */
export const findKeptClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./clients/create-client.ts')).findKeptClient,
);

/** Finds the server that refuses the token of a run because it takes only those for its own resource. */
export const findOwnResource = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/find-own-resource.ts')).findOwnResource,
);

/** What a server calls itself in its metadata (RFC 9728). */
export const readResource = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/find-own-resource.ts')).readResource,
);

/** Gets a token for a server that takes only those for its own resource. */
export const obtainOwnToken = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/own-token.ts')).obtainOwnToken,
);

/** Keeps a sign-in, and ends the one that it takes the place of. */
export const saveSignIn = /* @__PURE__ */ lazyFunction(async () => (await import('./kept/save-sign-in.ts')).saveSignIn);

/** Writes a sign-in to the credentials and the config, and does no more. */
export const storeSignIn = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/save-sign-in.ts')).storeSignIn,
);

/** How the sign-in of a context stands. */
export const inspectSignIn = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/inspect-sign-in.ts')).inspectSignIn,
);

/** How the sign-ins of the other contexts stand. */
export const inspectOthers = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/inspect-others.ts')).inspectOthers,
);

/** Takes a saved sign-in up again, as a run goes on with it. */
export const resumeSignIn = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/resume-sign-in.ts')).resumeSignIn,
);

/** Every token of a saved sign-in, renewed where that is due. */
export const takeTokens = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/resume-sign-in.ts')).takeTokens,
);

/** Renews the tokens of a saved sign-in that a server has refused. */
export const renewSignIn = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/resume-sign-in.ts')).renewSignIn,
);

/** An access token of a context that is good now. */
export const accessToken = /* @__PURE__ */ lazyFunction(
  async () => (await import('./renewal/access-token.ts')).accessToken,
);

/** The same for a person who looks at it: a renewal that failed a moment ago is tried again. */
export const accessTokenNow = /* @__PURE__ */ lazyFunction(
  async () => (await import('./renewal/access-token.ts')).accessTokenNow,
);

/** Another access token in the place of one that was refused. */
export const accessTokenInstead = /* @__PURE__ */ lazyFunction(
  async () => (await import('./renewal/access-token.ts')).accessTokenInstead,
);

/** Renews the token of a context if it is time to, and waits for that. */
export const renewIfDue = /* @__PURE__ */ lazyFunction(
  async () => (await import('./renewal/access-token.ts')).renewIfDue,
);

/** Renews by a refresh token, and keeps nothing of what comes of it. */
export const requestRenewal = /* @__PURE__ */ lazyFunction(
  async () => (await import('./renewal/request-renewal.ts')).requestRenewal,
);

/** Proves that what assistants start can renew the sign-in. */
export const verifyRenewal = /* @__PURE__ */ lazyFunction(
  async () => (await import('./renewal/verify-renewal.ts')).verifyRenewal,
);

/** Revokes what is kept of a sign-in (RFC 7009). */
export const revoke = /* @__PURE__ */ lazyFunction(async () => (await import('./kept/revoke.ts')).revoke);

/** A client of an identity provider, with the library that speaks to it. */
export const oauthClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./oauth/oauth-client.ts')).oauthClient,
);

/** Gets a token for a client by its secret. */
export const obtainToken = /* @__PURE__ */ lazyFunction(async () => (await import('./obtain-token.ts')).obtainToken);

/** What makes it needless to sign in so often, and then to sign in again. */
export const changeThenSignIn = /* @__PURE__ */ lazyFunction(
  async () => (await import('./kept/change-then-sign-in.ts')).changeThenSignIn,
);

/** Whether a client can sign people in with a code. */
export const offersDevice = /* @__PURE__ */ lazyFunction(
  async () => (await import('./oauth/device-offer.ts')).offersDevice,
);

/** Asks whether an identity provider would let assistants sign in by themselves. */
export const checkAssistantClients = /* @__PURE__ */ lazyFunction(
  async () => (await import('./clients/check-assistant-clients.ts')).checkAssistantClients,
);

/** What an authorization endpoint tells of a client before a person is signed in. */
export const lookAtClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./oauth/known-client.ts')).lookAtClient,
);

/** What is told of a client that it tells nothing of. */
export const untoldClient = /* @__PURE__ */ lazyFunction(
  async () => (await import('./oauth/known-client.ts')).untoldClient,
);

/** A client of an identity provider that nobody has registered there. */
export const clientOfNobody = /* @__PURE__ */ lazyFunction(
  async () => (await import('./oauth/known-client.ts')).clientOfNobody,
);
