import type {About} from '../../../errors/errors.ts';
import {addressIn, baseDomainIn} from '../../derived/validate.ts';
import {deploymentOf} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {AnsweredFailure, WizardState} from '../../model.ts';
import type {Offer} from '../../view/view.ts';

/**
 * Returns this run's platform as the person named it, including a port, otherwise the base domain that was found;
 * undefined as long as neither is known.
 */
export const platformAsNamed = ({answers, facts}: Pick<WizardState, 'answers' | 'facts'>): string | undefined =>
  answers.baseDomain ?? answers.addresses?.controlPlaneUrl ?? facts.deployment?.baseDomain;

/**
 * Offers to enter another platform, by its base domain or any of its addresses. `initial` is the text in the field. The
 * other addresses that the person named are kept only if the person enters the same platform again.
 */
export const enterBaseDomain = (state: WizardState, label: string, initial: string): Offer => {
  const {baseDomain, addresses = {}} = state.answers;
  const named = baseDomain ?? addresses.controlPlaneUrl;
  const refuse = baseDomainIn(state);
  // A platform without host names has no base domain. Its control plane says what the other addresses are.
  const isUnnamed = (text: string) => refuse(text) !== undefined && /^https?:\/\//i.test(text.trim());
  return {
    label,
    ask: 'Base domain, or any address of the platform',
    initial,
    validate: text => (isUnnamed(text) ? addressIn('The control plane')(text) : refuse(text)),
    toEvent: text =>
      answered(
        text.trim() === named
          ? {...(baseDomain === undefined ? {} : {baseDomain}), addresses}
          : isUnnamed(text)
            ? {baseDomain: undefined, addresses: {controlPlaneUrl: text.trim()}}
            : {baseDomain: text, addresses: {}},
      ),
  };
};

/**
 * Offers to enter another base domain after a failure. The field holds what the person entered, or what was found, for
 * correction.
 */
export const anotherBaseDomain = (state: WizardState): Offer => {
  const {takenBack} = state;
  const known = platformAsNamed(state);
  // A person who went back from a failure finds what they typed.
  const typed = takenBack && platformAsNamed({answers: takenBack, facts: {}});
  // An assumed base domain at which nothing was found is no useful suggestion.
  const isFirst = state.failure?.code === 'platform-not-found' && known === undefined;
  return enterBaseDomain(
    state,
    isFirst ? 'Enter the platform’s base domain' : 'Another base domain',
    known ?? typed ?? '',
  );
};

export const enterObserver = ({answers, takenBack}: WizardState): Offer => ({
  label: 'Enter the observer’s address',
  ask: 'Its address',
  initial: answers.addresses?.observerUrl ?? takenBack?.addresses?.observerUrl ?? '',
  validate: addressIn('The observer'),
  toEvent: observerUrl => answered({addresses: {...answers.addresses, observerUrl}}),
});

export const withoutObserver = ({answers}: WizardState): Offer => ({
  label: 'Go on without the observer',
  hint: 'Assistants can use the control plane only.',
  event: answered({addresses: {...answers.addresses, observerUrl: 'none'}}),
});

/** Offers the identity provider that the platform trusts, and the one that the person named. */
export const whichProvider = (
  {answers}: WizardState,
  {trusted, given: named}: NonNullable<About['issuers']>,
): readonly Offer[] => {
  const {authUrl, issuer: _, ...others} = answers.addresses ?? {};
  return [
    {
      label: `Sign in at ${trusted}`,
      hint: 'The control plane trusts it.',
      event: answered({addresses: others}),
    },
    {
      label: `Sign in at ${named} anyway`,
      hint: 'Only if the platform accepts its tokens.',
      event: answered({addresses: {...others, ...(authUrl === undefined ? {} : {authUrl}), issuer: named}}),
    },
  ];
};

/** Offers the address by which the identity provider identifies itself. */
export const offerItsAddress = ({answers}: WizardState, {called, flag}: About): readonly Offer[] =>
  called === undefined || !URL.canParse(called)
    ? []
    : [
        {
          label: `Use ${called}`,
          hint: 'The identity provider gives this address.',
          event: answered({addresses: {...answers.addresses, [flag === 'issuer' ? 'issuer' : 'authUrl']: called}}),
        },
      ];

/** Offers the way back from the address by which an identity provider identifies itself, if nothing answers there. */
export const formerAddress = ({failure, answeredFailure}: WizardState): readonly Offer[] => {
  const former = calledIn(answeredFailure);
  const {url} = former?.failure?.about ?? {};
  if (former === undefined || url === undefined || failure?.about?.called !== undefined) return [];
  return [
    {
      label: 'Go back to the other address',
      hint: `The identity provider was expected at ${url}.`,
      event: answered({addresses: former.answers.addresses ?? {}}),
    },
  ];
};

/**
 * Returns the answered failure after which the person chose the address that the identity provider gave. The person may
 * have answered other failures since.
 */
const calledIn = (answeredFailure: WizardState['answeredFailure']): AnsweredFailure | undefined =>
  answeredFailure === undefined || answeredFailure.failure?.about?.called !== undefined
    ? answeredFailure
    : calledIn(answeredFailure.answeredFailure);

/** Offers to change one of the three addresses. The others stay as they were found. */
export const changeAddress = (state: WizardState): Offer => {
  const {controlPlaneUrl, observerUrl, authUrl, ...found} = deploymentOf(state);
  // The text that the person typed, because the company file was stored under it.
  const {baseDomain = found.baseDomain} = state.answers;
  const known = {controlPlaneUrl, authUrl, ...(observerUrl ? {observerUrl} : {})};
  const offer = (key: 'controlPlaneUrl' | 'observerUrl' | 'authUrl', label: string): Offer => ({
    label,
    hint: known[key] ?? 'none',
    ask: 'Its address',
    initial: known[key] ?? '',
    validate: addressIn(label),
    toEvent: text => answered({baseDomain, addresses: {...known, [key]: text}}),
  });
  return {
    label: 'Change an address',
    which: 'Which address?',
    offers: [
      offer('controlPlaneUrl', 'Control plane'),
      offer('observerUrl', 'Observer'),
      offer('authUrl', 'Identity provider'),
    ],
  };
};
