import type {Untrusted} from '../../../flows/deployment/untrusted.ts';
import {networkIn} from '../../derived/wizard-context.ts';
import {authoritySecretIn} from '../../derived/wizard-deployment.ts';
import {answered} from '../../events.ts';
import type {Answers, Failure, WizardState} from '../../model.ts';
import {back} from '../../view/offers.ts';
import type {Offer} from '../../view/view.ts';
import {fullPathOf, isFullPath} from './network-offers.ts';

/** Returns the offers for a failure about trust; undefined if the failure is about something else. */
export const trustRecovery = (state: WizardState, {code, untrusted, about}: Failure): readonly Offer[] | undefined => {
  if (untrusted) return trustOffers(state, untrusted);
  const {authority} = state.answers;
  if (code !== 'input-invalid' || about?.flag !== 'ca-file') return undefined;
  // The file may come from the saved deployment or a flag: then the person has not answered a question about it.
  return isFile(authority)
    ? [authorityFile(state, authority.file), chooseAgain(state)]
    : [authorityFile(state, about.path ?? '')];
};

/** Leads back to the question whom to trust, with the signer of the server's certificate and every choice. */
export const chooseAgain = ({answeredFailure}: WizardState): Offer => {
  const label = 'Choose again whom to trust';
  return answeredFailure?.failure?.untrusted
    ? {label, event: {type: 'reconsidered'}}
    : back(label, 'cluster-authority');
};

/** Returns the path that the person entered before, for when they are asked for it again. */
const fileNamed = ({answers, takenBack}: WizardState): string => {
  const {authority = takenBack?.authority} = answers;
  return isFile(authority) ? authority.file : '';
};

/**
 * Returns the choices of whom to trust for this platform. If a product intercepts the connection, the message above has
 * said so.
 */
const trustOffers = (state: WizardState, {anchor, isWhole}: Untrusted): readonly Offer[] => [
  {
    label: isWhole ? 'Trust it for this platform' : 'Trust this certificate, until it is renewed',
    hint: 'First check the fingerprint with the platform’s operators.',
    afterReading: 'Trust it',
    event: answered({authority: {pem: trustedWith(state, anchor.pem)}}),
  },
  authorityFile(state, fileNamed(state)),
  ...clusterOffer(state),
];

const clusterOffer = (state: WizardState): readonly Offer[] => {
  const secret = authoritySecretIn(state);
  if (!secret) return [];
  const hint = `kubectl get secret ${secret.name} --namespace ${secret.namespace}`;
  return [{label: 'Trust the cluster’s authority', hint, event: answered({authority: 'cluster'})}];
};

/** Several authorities may sign for the servers of one platform: an authority that was trusted before stays trusted. */
const trustedWith = (state: WizardState, pem: string): string => {
  const {authority} = networkIn(state);
  return authority && 'pem' in authority ? `${authority.pem.trimEnd()}\n${pem}` : pem;
};

/** Asks for a file with the authority; `initial` is a path that was typed before. */
const authorityFile = (state: WizardState, initial: string): Offer => ({
  label: 'Trust an authority from a file',
  hint: 'A certificate file from your administrators.',
  ask: 'Path of the file',
  initial,
  validate: text => (isFullPath(text) ? undefined : 'Enter the full path.'),
  toEvent: text => {
    const file = fullPathOf(text, state);
    return answered({authority: {file}});
  },
});

/** Whether the authority is a file that is read at each start. */
const isFile = (authority: Answers['authority']): authority is {readonly file: string} =>
  typeof authority === 'object' && 'file' in authority;
