import type {ErrorCode} from '../../../errors/errors.ts';
import {asksOf} from '../../derived/wizard-context.ts';
import {isByClient, isCreating, isResumed, isSignedIn, platformOf} from '../../derived/wizard-deployment.ts';
import {answered, type WizardEvent} from '../../events.ts';
import type {Failure, WizardState} from '../../model.ts';
import type {Recovery} from '../../step.ts';
import {back} from '../../view/offers.ts';
import type {Offer} from '../../view/view.ts';
import {anotherBaseDomain} from '../deployment/address-offers.ts';

/** Returns what a person can do if they cannot sign in, or if a server refuses their token. */
export const signInRecovery = (state: WizardState, failure: Failure): Recovery => {
  // Another sign-in would meet the same obstacle.
  if (isOnTheWay(failure) || isOfThisMachine(failure)) return {offers: []};
  // The saved secret is no longer the client's.
  const isKept = state.facts.keptClient?.isKept && failure.code === 'auth-client-refused';
  const asked = failure.code === 'auth-scope-refused' ? [otherScopes(state)] : [];
  return {
    offers: [...asked, ...(isKept ? [newSecret] : []), ...enterAgain(state), anotherWay, anotherBaseDomain(state)],
  };
};

export const signInAgainLabel = 'Sign in again';

/** Offers the same sign-in again, in the same way as before. The saved sign-in is not renewed first. */
export const signInAgain = (state: WizardState): Offer => ({
  label: signInAgainLabel,
  hint: isResumed(state) ? againHint(state) : 'The same way as before.',
  event: signInAgainEvent(state),
});

/** Says whether the assistants use the sign-in that is made again. */
export const againHint = ({settings: {saved}}: Pick<WizardState, 'settings'>): string => {
  if (saved?.assistantsAccount && saved.actsAs === undefined)
    return 'Same method. Your assistants have an account of their own.';
  const isUsed = (saved?.entries ?? []).length > 0;
  return isUsed ? 'Same method. Your assistants use this sign-in too.' : 'Same deployment, same method.';
};

/** Returns the event of choosing to sign in again, wherever that is offered. */
export const signInAgainEvent = ({settings, answers}: WizardState): WizardEvent => {
  if (!settings.saved || answers.resume === 'anew') return {type: 'went-back', to: 'obtain-token'};
  // On the home screen nothing has been asked yet, so the person wants a sign-in only.
  const {resume = 'sign-in'} = answers;
  return answered({...settings.again, resume, signInAnew: true});
};

const otherScopes = (state: WizardState): Offer => ({
  label: 'Request other scopes',
  hint: 'Leave out the refused ones.',
  ask: 'Scopes, separated by spaces',
  initial: (asksOf(state)?.scopes ?? state.facts.cliClient?.scopes ?? platformOf(state).cliClient.scopes).join(' '),
  toEvent: text => answered({scopes: text.trim().split(/\s+/)}),
});

/** Whether the failure is about a proxy, a portal or an interceptor on the way, which no sign-in changes. */
const isOnTheWay = ({code, untrusted}: Failure) =>
  untrusted !== undefined || code === 'network-portal' || code.startsWith('network-proxy');

/** Whether a file on this machine prevents the sign-in from being saved, whoever signs in. */
const isOfThisMachine = ({code}: Failure) => ofThisMachine.has(code);

const ofThisMachine: ReadonlySet<ErrorCode> = new Set([
  ...(['local-write-failed', 'local-read-failed', 'local-open-to-others', 'local-config-invalid'] as const),
  ...(['local-limit-reached', 'local-locked'] as const),
]);

/** Whether the identity provider refused what this client asked for, so that another client may be the right one. */
export const isAboutClient = (code: ErrorCode): boolean => aboutClient.has(code);

const aboutClient: ReadonlySet<ErrorCode> = new Set([
  ...(['auth-client-unknown', 'auth-client-confidential', 'auth-client-disabled', 'auth-client-refused'] as const),
  ...(['auth-redirect-refused', 'auth-grant-missing', 'auth-grant-refused', 'auth-method-refused'] as const),
  ...(['auth-application-unknown', 'auth-scope-refused', 'auth-resource-refused'] as const),
]);

/** Offers to enter the same client or administrator again, as long as the identity provider has not accepted them. */
const enterAgain = (state: WizardState): readonly Offer[] => {
  if (state.facts.token) return [];
  if (isByClient(state) && !isSignedIn(state)) return [back('Enter the client again', 'client')];
  return isCreating(state) ? [back('Enter the administrator again', 'admin')] : [];
};

export const anotherWay = back('Sign in another way', 'sign-in');

/** Offers a new secret for a client that exists, but whose secret is not known here. */
export const newSecret: Offer = {
  label: 'Set a new secret for it',
  hint: 'Everyone who uses the old secret is signed out.',
  event: answered({existingClient: 'reset-secret'}),
};
