import {subjectIn} from '../diagnosis/subject-from-state.ts';
import type {CallLine, Failure, WizardState} from '../model.ts';
import type {Recovery} from '../step.ts';
import {trustRecovery} from '../steps/deployment/trust-offers.ts';
import {stepOf} from '../steps.ts';
import {diagnostics} from './offers.ts';
import {progressRows} from './progress.ts';
import type {FailureBlock, Offer, QuestionView} from './view.ts';

/** A failure as a question: what happened, and what a person can do about it. */
export const failureView = (state: WizardState, failure: Failure): QuestionView => {
  const own: Recovery = stepOf(failure.step).recovery?.(state, failure) ?? {offers: []};
  const trust = trustRecovery(state, failure);
  const offers = [
    ...inOrder(failure, [...(trust ?? []), ...own.offers], own),
    ...(subjectIn(state) ? [diagnostics] : []),
    {label: 'Quit', leave: 'failed'} as const,
  ];
  const {guide} = own;
  return {
    type: 'question',
    heading: failure.untrusted ? 'Do you trust who signed its certificate?' : (own.heading ?? 'It did not work'),
    offers,
    // Nobody is trusted by a slip of the finger.
    initial: failure.untrusted ? offers.length - 1 : 0,
    ...(own.isNoTrouble ? {} : {isTrouble: true}),
    about: [blockOf(state, failure, own)],
    ...(guide === undefined ? {} : {guide: () => guide}),
  };
};

/** Trying again is always among them, and first where that is likely to help. */
const inOrder = (
  {code, whose, untrusted}: Failure,
  specific: readonly Offer[],
  {isNoTrouble}: Recovery,
): readonly Offer[] => {
  const retry: Offer = {label: 'Try again', event: {type: 'retried'}};
  const isLikelyGone =
    !isNoTrouble &&
    ((!untrusted && code.startsWith('network-')) || whose === 'platform' || code === 'local-port-taken');
  return isLikelyGone ? [retry, ...specific] : [...specific, retry];
};

const blockOf = (state: WizardState, failure: Failure, {showsRows, advice}: Recovery): FailureBlock => {
  const {step, message, whose, remedy, block} = failure;
  const rows = showsRows ? progressRows(state, step).filter(({status}) => status !== 'waiting') : [];
  const call = rows.length > 0 ? undefined : callOf(state, failure);
  return {
    type: 'failure',
    ...{message, whose: failure.about?.isTurnSaid || advice !== undefined ? 'you' : whose, rows},
    remedy: advice ?? (block === undefined ? remedy : remedy.slice(0, -block.length).trim()),
    ...(block === undefined ? {} : {block}),
    ...(call ? {call} : {}),
  };
};

/** The call that the failure is about: to its address, else the last to the same server, if that is what failed. */
const callOf = ({calls}: WizardState, {step, about = {}}: Failure): CallLine | undefined => {
  const own = calls.filter(call => call.step === step);
  const named = own.findLast(({url, answer}) => answer?.failed && url === about.url);
  const last = own.findLast(({url}) => new URL(url).origin === about.server);
  return named ?? (last?.answer?.failed ? last : undefined);
};
