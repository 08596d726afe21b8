import {SetupError} from '../../../errors/errors.ts';
import {phrase, setup} from '../../../errors/remedy.ts';
import {accountState, createsAccount} from '../../derived/assistants-account.ts';
import {answered, type WizardEvent} from '../../events.ts';
import type {Failure, StepId, WizardState} from '../../model.ts';
import type {Asked, AskStep, Recovery, RunStep} from '../../step.ts';
import {back} from '../../view/offers.ts';
import type {FormView, Offer} from '../../view/view.ts';
import {anotherBaseDomain} from '../deployment/address-offers.ts';
import {admin} from '../sign-in/admin.ts';
import {client} from '../sign-in/client.ts';
import {createClient} from '../sign-in/create-client.ts';
import {keptClient} from '../sign-in/kept-client.ts';
import {obtainToken} from '../sign-in/obtain-token.ts';
import {anotherWay} from '../sign-in/sign-in-recovery.ts';
import {actAsYou, adviceFor} from './account.ts';

/** The steps of the account's sign-in, by the steps of the person's own sign-in that they correspond to. */
const twins: {readonly [Id in StepId]?: StepId} = {
  'sign-in': 'account',
  'kept-client': 'account-kept-client',
  'create-client': 'account-create-client',
  'obtain-token': 'account-token',
};

/** Turns an event of the person's own sign-in into one of the account's, with the account's answers and steps. */
const forAccount = ({answers}: WizardState, event: WizardEvent): WizardEvent => {
  if (event.type === 'answered') return answered({account: {...answers.account, ...event.answers}});
  // Going back to a form asks for it again, and keeps the choice of the account.
  if (event.type === 'went-back' && (event.to === 'admin' || event.to === 'client'))
    return answered({
      account: {...answers.account, ...(event.to === 'admin' ? {adminEntered: false} : {clientEntered: false})},
    });
  const to = event.type === 'went-back' ? twins[event.to] : undefined;
  return to === undefined ? event : {type: 'went-back', to};
};

const offerFor = (state: WizardState, offer: Offer): Offer => {
  if ('event' in offer) return {...offer, event: forAccount(state, offer.event)};
  if ('toEvent' in offer) return {...offer, toEvent: text => forAccount(state, offer.toEvent(text))};
  return offer;
};

/** Going back to any of these steps asks for the account's sign-in from its beginning. */
const forgets = {answers: ['account', 'accountRole'], facts: ['account', 'accountAccess']} as const;

const common = (step: AskStep | RunStep) => ({
  stage: 'assistants' as const,
  when: (state: WizardState) => createsAccount(state) && (step.when?.(accountState(state)) ?? true),
  done: (state: WizardState) => step.done(accountState(state)),
  forgets,
});

/** Returns a form of the person's own sign-in as a question about the account. */
const formFor = (step: AskStep, id: StepId, title: string): AskStep => ({
  ...common(step),
  kind: 'ask',
  id,
  title,
  flag: step.flag,
  ask: (state, now): Asked => {
    const view = step.ask(accountState(state), now) as FormView;
    // The client that comes with a release is an administrator's, so it is not suggested.
    const name = {...view.name, ...(view.name.isKnown ? {} : {initial: ''})};
    return {...view, name, toEvent: (typed, secret) => forAccount(state, view.toEvent(typed, secret))};
  },
});

/** Returns a flow of the person's own sign-in as one of the account's. Its facts belong to the account. */
const runFor = (step: RunStep, id: StepId, title: string): RunStep => ({
  ...common(step),
  kind: 'run',
  id,
  title,
  run: async (state, run) => {
    const learnt = await step.run(accountState(state), run).catch(error => {
      throw error instanceof SetupError ? withFlags(error) : error;
    });
    return {account: {...state.facts.account, ...learnt}};
  },
  ...(step.pendingRows ? {pendingRows: state => step.pendingRows?.(accountState(state)) ?? []} : {}),
  ...(step.eventTexts ? {eventTexts: step.eventTexts} : {}),
  recovery: (state, failure) => recoveryFor(step, state, failure),
});

/**
 * Returns a failure with the flags that are about the account. Those of the person's own sign-in do not apply to it, and
 * the client that comes with a release is an administrator's.
 */
const withFlags = (failure: SetupError): SetupError => {
  const {code, message, about} = failure;
  const signIn = setup('login', '--as assistants --client-id ID --client-secret-stdin');
  if (code === 'auth-client-exists') {
    return new SetupError(code, message, {
      remedy: about.isNameTaken
        ? {
            do: 'Choose another client ID.',
            flag: phrase`To use an existing client, set up without --assistants-as, then run ${signIn}.`,
          }
        : {
            do: 'Use the existing client with its secret, or set a new secret, which signs out everyone who uses the old one.',
            flag: phrase`Pass --reset-secret for a new secret. To use the existing client, set up without --assistants-as, then run ${signIn}.`,
          },
      about,
    });
  }
  if (code !== 'auth-recipe-closed') return failure;
  return new SetupError(code, message, {
    remedy: {
      do: 'Ask an administrator to create a confidential client for them, with client_credentials and client_secret_basic.',
      flag: phrase`Set up without --assistants-as, then run ${signIn}.`,
    },
    about,
  });
};

/** Returns the offers about the account's client and administrator, then those to choose another account or none. */
const recoveryFor = (step: RunStep, state: WizardState, failure: Failure): Recovery => {
  const seen = accountState(state);
  const own = step.recovery?.(seen, {...failure, step: step.id}) ?? {offers: []};
  const elsewhere = [anotherWay.label, anotherBaseDomain(seen).label];
  const others = [back('Choose another account', 'account'), ...actAsYou(state)];
  const offers = [
    ...own.offers.filter(({label}) => !elsewhere.includes(label)).map(offer => offerFor(state, offer)),
    ...others,
  ];
  const advice = own.advice ?? adviceFor(failure, offers);
  return {...own, ...(advice === undefined ? {} : {advice}), offers};
};

/** The steps that sign in the account of the assistants, in order. They do what those of the person's own sign-in do. */
export const accountClient = formFor(client, 'account-client', 'Which client should your assistants use?');
export const accountKeptClient = runFor(
  keptClient,
  'account-kept-client',
  'Looking for a saved client for your assistants',
);
export const accountAdmin = formFor(admin, 'account-admin', 'Sign in as an administrator');
export const accountCreateClient = runFor(
  createClient,
  'account-create-client',
  'Creating a client for your assistants',
);
export const accountToken: RunStep = {
  ...runFor(obtainToken, 'account-token', 'Signing your assistants in'),
  receipts: ({facts}) =>
    facts.account?.token ? [{label: 'Assistants act', text: `as ${facts.account.token.account}`}] : [],
};
