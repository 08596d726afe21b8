import type {Untrusted} from '../../../flows/deployment/untrusted.ts';
import {networkIn} from '../../derived/context-of.ts';
import {authoritySecretIn} from '../../derived/deployment-of.ts';
import {answered} from '../../events.ts';
import type {Answers, Failure, WizardState} from '../../model.ts';
import {back} from '../../view/offers.ts';
import type {Offer} from '../../view/view.ts';
import {fullPathOf, isFullPath} from './network-offers.ts';

/** What to do where it is about whom to trust; undefined where it is not. */
export const trustRecovery = (state: WizardState, {code, untrusted, about}: Failure): readonly Offer[] | undefined => {
  if (untrusted) return trustOffers(state, untrusted);
  const {authority} = state.answers;
  const isUnread = code === 'input-invalid' && about?.flag === 'ca-file' && isFile(authority);
  return isUnread ? [authorityFile(state, authority.file), chooseAgain(state)] : undefined;
};

/** Leads back to the question whom to trust, with who vouches for the server and all its choices. */
export const chooseAgain = ({answeredFailure}: WizardState): Offer => {
  const label = 'Choose again whom to trust';
  return answeredFailure?.failure?.untrusted
    ? {label, event: {type: 'reconsidered'}}
    : back(label, 'cluster-authority');
};

/** The file that the person named before, for who is asked for it again. */
const fileNamed = ({takenBack}: WizardState): string => {
  const {authority} = takenBack ?? {};
  return isFile(authority) ? authority.file : '';
};

/** Whom to trust for this platform. Where a product stands in between, that is said before. */
const trustOffers = (state: WizardState, {anchor, isWhole}: Untrusted): readonly Offer[] => [
  {
    label: isWhole ? 'Trust it for this platform' : 'Trust this certificate, until it is renewed',
    hint: 'Compare the SHA-256 with its operators first.',
    afterReading: true,
    event: answered({authority: {pem: trustedWith(state, anchor.pem)}}),
  },
  authorityFile(state, fileNamed(state)),
  ...clusterOffer(state),
];

const clusterOffer = (state: WizardState): readonly Offer[] => {
  const secret = authoritySecretIn(state);
  if (!secret) return [];
  const hint = `kubectl get secret ${secret.name} --namespace ${secret.namespace}`;
  return [{label: 'Read the certificate authority from the cluster', hint, event: answered({authority: 'cluster'})}];
};

/** Servers of one platform may have been signed by several: who was trusted before stays trusted. */
const trustedWith = (state: WizardState, pem: string): string => {
  const {authority} = networkIn(state);
  return authority && 'pem' in authority ? `${authority.pem.trimEnd()}\n${pem}` : pem;
};

/** Where the person has a file with the authority; `initial` is a path that was typed before. */
const authorityFile = (state: WizardState, initial: string): Offer => ({
  label: 'Read the certificate authority from a file',
  hint: 'A certificate file from your administrators.',
  ask: 'Path of the file',
  initial,
  validate: text => (isFullPath(text) ? undefined : 'Enter the full path.'),
  toEvent: text => {
    const file = fullPathOf(text, state);
    return answered({authority: {file}});
  },
});

/** Whether an authority is read from a file at each start. */
const isFile = (authority: Answers['authority']): authority is {readonly file: string} =>
  typeof authority === 'object' && 'file' in authority;
