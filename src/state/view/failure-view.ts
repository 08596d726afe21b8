import type {Deployment} from '../../domain/deployment.ts';
import {familyOf} from '../../errors/errors.ts';
import {subjectIn} from '../diagnosis/subject-from-state.ts';
import type {CallLine, Failure, StepId, WizardState} from '../model.ts';
import type {Recovery} from '../step.ts';
import {networkOffers} from '../steps/deployment/network-offers.ts';
import {trustRecovery} from '../steps/deployment/trust-offers.ts';
import {stepOf} from '../steps.ts';
import {serviceName} from './names.ts';
import {diagnostics} from './offers.ts';
import {progressRows} from './progress.ts';
import type {Block, FailureBlock, Offer, QuestionView} from './view.ts';

/** A failure as a question: what happened, and what a person can do about it. */
export const failureView = (state: WizardState, failure: Failure): QuestionView => {
  const own: Recovery = stepOf(failure.step).recovery?.(state, failure) ?? {offers: []};
  const trust = trustRecovery(state, failure);
  const offers = [
    ...inOrder(failure, [...(trust ?? []), ...networkOffers(state, failure), ...own.offers], own),
    ...(subjectIn(state) ? [diagnostics] : []),
    {label: 'Quit', leave: 'failed'} as const,
  ];
  const {guide} = own;
  return {
    type: 'question',
    heading: failure.untrusted ? 'Do you trust this certificate?' : (own.heading ?? headingOf(state, failure)),
    offers,
    // Nobody is trusted by a slip of the finger.
    initial: failure.untrusted ? offers.length - 1 : 0,
    ...(own.isNoTrouble ? {} : {isTrouble: true}),
    about: own.isNoTrouble ? calmly(state, failure, own) : [blockOf(state, failure, own)],
    ...(guide === undefined ? {} : {guide: () => guide}),
  };
};

/** What failed: a part of the platform that cannot be reached, or else what the step was about. */
const headingOf = ({facts}: WizardState, {step, code, about}: Failure): string => {
  const running = stepOf(step);
  const [part] = familyOf(code) === 'network' && facts.deployment ? partsAt(facts.deployment, about?.server) : [];
  if (part) return `Can’t reach the ${serviceName[part].toLowerCase()}`;
  return running.kind === 'run' ? running.failed : running.title;
};

/** The parts of a deployment that are at an origin. */
const partsAt = ({controlPlaneUrl, observerUrl, authUrl}: Deployment, origin: string | undefined) =>
  (
    [
      ['identity-provider', authUrl],
      ['control-plane', controlPlaneUrl],
      ['observer', observerUrl],
    ] as const
  ).flatMap(([service, url]) => (url !== undefined && new URL(url).origin === origin ? [service] : []));

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

/** The same where nothing went wrong: sentences, and what was looked at. */
const calmly = (
  state: WizardState,
  {step, message, remedy, advice = remedy, about}: Failure,
  own: Recovery,
): readonly Block[] => {
  const rows = own.showsRows ? seenRows(state, step) : [];
  return [
    {type: 'text', text: about?.reason ?? message},
    ...(rows.length > 0 ? [{type: 'rows', rows} as const] : []),
    {type: 'text', text: own.advice ?? advice},
  ];
};

const seenRows = (state: WizardState, step: StepId) =>
  progressRows(state, step).filter(({status}) => status !== 'waiting');

const blockOf = (state: WizardState, failure: Failure, {showsRows, advice}: Recovery): FailureBlock => {
  const {step, message, whose, block} = failure;
  const remedy = failure.advice ?? failure.remedy;
  const rows = showsRows ? seenRows(state, step) : [];
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
