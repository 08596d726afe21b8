import type {Untrusted} from '../flows/deployment/untrusted.ts';
import {authoritySecretIn} from './deployment-of.ts';
import {networkIn} from './derived.ts';
import type {Answers, WizardState} from './model.ts';
import type {Offer} from './questions.ts';
import type {WizardEvent} from './reducer.ts';

/** Whom to trust for this platform. Where a product stands in between, that is said before. */
export const trustOffers = (state: WizardState, {anchor, isWhole}: Untrusted): readonly Offer[] => [
  {
    label: isWhole ? 'Trust it for this platform' : 'Trust this certificate, until it is renewed',
    hint: 'Compare the SHA-256 with its operators first.',
    event: {type: 'answered', answers: {authority: {pem: trustedWith(state, anchor.pem)}}},
  },
  authorityFile(state, ''),
  ...clusterOffer(state),
];

const clusterOffer = (state: WizardState): readonly Offer[] => {
  const secret = authoritySecretIn(state);
  if (!secret) return [];
  const hint = `kubectl get secret ${secret.name} --namespace ${secret.namespace}`;
  const event: WizardEvent = {type: 'answered', answers: {authority: 'cluster'}};
  return [{label: 'Read the authority from the cluster', hint, event}];
};

/** Servers of one platform may have been signed by several: who was trusted before stays trusted. */
const trustedWith = (state: WizardState, pem: string): string => {
  const {authority} = networkIn(state);
  return authority && 'pem' in authority ? `${authority.pem.trimEnd()}\n${pem}` : pem;
};

/** Where the person has a file with the authority; `initial` is a path that was typed before. */
export const authorityFile = ({settings}: WizardState, initial: string): Offer => ({
  label: 'Read the authority from a file',
  hint: 'A certificate that you were given.',
  ask: 'Path of the file',
  initial,
  check: text => (/^~[\\/]/.test(text) || isAbsolute(text) ? undefined : 'Enter the full path.'),
  toEvent: text => {
    const file = text.replace(/^~(?=[\\/])/, settings.place.home);
    return {type: 'answered', answers: {authority: {file}}};
  },
});

/** Whether an authority is read from a file at each start. */
export const isFile = (authority: Answers['authority']): authority is {readonly file: string} =>
  typeof authority === 'object' && 'file' in authority;

const isAbsolute = (path: string) => /^(\/|[A-Za-z]:[\\/])/.test(path);
