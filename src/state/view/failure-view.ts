import type {ErrorCode} from '../../errors/errors.ts';
import {subjectIn} from '../diagnosis/subject-from-state.ts';
import type {CallLine, Failure, StepId, WizardState} from '../model.ts';
import type {Recovery} from '../step.ts';
import {anotherBaseDomain} from '../steps/deployment/address-offers.ts';
import {networkOffers} from '../steps/deployment/network-offers.ts';
import {trustRecovery} from '../steps/deployment/trust-offers.ts';
import {anotherWay, signInAgain, signInAgainLabel} from '../steps/sign-in/sign-in-recovery.ts';
import {stepOf} from '../steps.ts';
import {diagnostics} from './offers.ts';
import {progressRows} from './progress.ts';
import type {FailureBlock, Offer, QuestionView} from './view.ts';

/** Shows a failure as a question: what happened, and what the person can do about it. */
export const failureView = (state: WizardState, failure: Failure): QuestionView => {
  const own: Recovery = stepOf(failure.step).recovery?.(state, failure) ?? {offers: []};
  const trust = trustRecovery(state, failure);
  const decision = decisionIn(failure);
  const recovery: Recovery = {...own, ...decision};
  const others = failure.code === 'network-insecure' ? [anotherBaseDomain(state)] : own.offers;
  const specific = [...(trust ?? []), ...networkOffers(state, failure), ...others];
  const offers = [
    ...inOrder(failure, [...againIn(state, own.advice ?? adviceOf(failure), specific), ...specific], recovery),
    ...(subjectIn(state) ? [diagnostics] : []),
    {label: 'Quit', leave: 'failed'} as const,
  ];
  const {guide} = own;
  return {
    type: 'question',
    heading: recovery.heading ?? failure.headline,
    offers,
    // A person must not trust a server by pressing Enter too quickly, so the last offer, which quits, is chosen first.
    initial: decision ? offers.length - 1 : 0,
    ...(recovery.isNoTrouble ? {} : {isTrouble: true}),
    about: [blockOf(state, failure, recovery)],
    ...(guide === undefined ? {} : {guide: () => guide}),
  };
};

/** Returns the texts for a failure that only needs the person's consent, in any step: it is shown as a question. */
const decisionIn = ({code, untrusted, about}: Failure): Pick<Recovery, 'heading' | 'isNoTrouble'> | undefined => {
  if (untrusted) {
    const what = untrusted.isWhole ? 'authority' : 'certificate';
    return {heading: `Do you trust this ${what}?`, isNoTrouble: true};
  }
  if (code !== 'network-insecure' || about?.server === undefined) return undefined;
  return {heading: `Send tokens to ${new URL(about.server).hostname} without encryption?`, isNoTrouble: true};
};

/** Failures that pass by themselves, or that somebody corrects outside of the wizard. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'auth-clock',
  'platform-busy',
  'platform-error',
  'platform-invalid-answer',
  'local-port-taken',
]);

/** Returns what the person is told to do, as it is shown. */
const adviceOf = ({advice, remedy}: Failure): string => advice ?? remedy;

/**
 * Returns the offers to sign in again, or in another way, that the advice names and the step does not make itself.
 * Empty before the person has chosen a way to sign in.
 */
const againIn = (state: WizardState, advice: string, offered: readonly Offer[]): readonly Offer[] => {
  if (state.answers.signIn === undefined) return [];
  return [signInAgain(state), anotherWay].filter(({label}) => {
    const isThere = offered.some(one => one.label.startsWith(label));
    return !isThere && placeOf(label, advice) !== undefined;
  });
};

/** Returns the position of an offer's label in the advice, in characters; undefined if the advice does not name it. */
const placeOf = (label: string, advice: string): number | undefined => {
  const at = advice.toLowerCase().indexOf(label.toLowerCase());
  return at < 0 ? undefined : at;
};

/**
 * Orders the offers. Trying again is always among them, unless another offer does the same, and comes first if it is
 * likely to help. Offers whose labels stand in the advice come before all others.
 */
const inOrder = (failure: Failure, specific: readonly Offer[], recovery: Recovery): readonly Offer[] => {
  const {isNoTrouble, advice, retry: event = {type: 'retried'}} = recovery;
  const {code, untrusted} = failure;
  const retry: Offer = {label: 'Try again', event};
  const advised = advice ?? adviceOf(failure);
  // The people who are asked change something outside of the wizard. A missing role has an offer of its own that waits.
  const isAsked = advised.startsWith('Ask ') && code !== 'auth-no-role';
  const isElsewhere = passing.has(code) || failure.whose === 'platform' || isAsked;
  const isLikelyGone = !isNoTrouble && ((!untrusted && code.startsWith('network-')) || isElsewhere);
  const isSame =
    (failure.step === 'obtain-token' && specific.some(({label}) => label === signInAgainLabel)) ||
    specific.some(offer => 'event' in offer && offer.event === event);
  const offers = isSame ? specific : isLikelyGone ? [retry, ...specific] : [...specific, retry];
  if (isNoTrouble) return offers;
  const places = new Map(offers.map(offer => [offer, placeOf(offer.label, advised) ?? Number.POSITIVE_INFINITY]));
  return offers.toSorted((one, other) => Math.sign((places.get(one) ?? 0) - (places.get(other) ?? 0)) || 0);
};

const seenRows = (state: WizardState, step: StepId) =>
  progressRows(state, step).filter(({status}) => status !== 'waiting');

const blockOf = (state: WizardState, failure: Failure, {showsRows, advice, isNoTrouble}: Recovery): FailureBlock => {
  const {step, whose, block, about, untrusted} = failure;
  const message = isNoTrouble ? (about?.reason ?? failure.message) : failure.message;
  const remedy = failure.advice ?? failure.remedy;
  const rows = showsRows ? seenRows(state, step) : [];
  const call = rows.length > 0 ? undefined : callOf(state, failure);
  return {
    type: 'failure',
    ...{message, whose: advice === undefined ? whose : 'you', rows},
    remedy: advice ?? remedy,
    ...(isNoTrouble ? {isCalm: true} : {}),
    ...(block === undefined ? {} : {block}),
    ...(block !== undefined && untrusted ? {leads: true} : {}),
    ...(call ? {call} : {}),
  };
};

/** Returns the failed call that the failure is about: the last one to its address, else the last to the same server. */
const callOf = ({calls}: WizardState, {step, about = {}}: Failure): CallLine | undefined => {
  const own = calls.filter(call => call.step === step);
  const named = own.findLast(({url, answer}) => answer?.failed && url === about.url);
  const last = own.findLast(({url}) => new URL(url).origin === about.server);
  return named ?? (last?.answer?.failed ? last : undefined);
};
