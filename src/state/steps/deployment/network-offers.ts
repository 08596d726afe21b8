import {isProxyAddress, proxyFromAnswer} from '../../../flows/deployment/context-network.ts';
import {answered} from '../../events.ts';
import type {Answers, Failure, WizardState} from '../../model.ts';
import {isClientCertificate} from '../../network-answers.ts';
import type {Offer} from '../../view/view.ts';
import {changeAddress} from './address-offers.ts';

/** Returns other ways to reach the platform, if the failure is about the way; else none. */
export const networkOffers = (state: WizardState, {code, about}: Failure): readonly Offer[] => {
  if (code === 'network-insecure' && about?.server) return plainHttp(state, new URL(about.server).hostname);
  if (code.startsWith('network-proxy')) return [anotherProxy(state), withoutProxy(state)];
  const isUnread = code === 'input-invalid' && isClientCertificate(about?.flag);
  return isUnread || code === 'network-client-certificate' ? [clientCertificate(state)] : [];
};

/** Returns the event of an answer that changes some network settings and keeps the others. */
const saying = ({answers}: WizardState, network: NonNullable<Answers['network']>, more: Partial<Answers> = {}) =>
  answered({network: {...answers.network, ...network}, ...more});

const plainHttp = (state: WizardState, host: string): readonly Offer[] => {
  const {network, allowedOnce = []} = state.answers;
  return [
    {
      label: 'Allow it this time',
      hint: `Tokens to ${host} can be read on the network.`,
      event: answered({allowedOnce: [...allowedOnce, host]}),
    },
    {
      label: 'Always allow it for this platform',
      hint: 'This machine remembers your choice. The risk is the same each time.',
      event: saying(state, {allowHttp: [...(network?.allowHttp ?? []), host]}),
    },
    ...(state.facts.deployment ? [changeAddress(state)] : []),
  ];
};

const anotherProxy = (state: WizardState): Offer => ({
  label: 'Use another proxy',
  hint: 'Its address, with a username and password if it needs them.',
  ask: 'Proxy, such as http://HOST:PORT or http://USER:PASSWORD@HOST:PORT',
  initial: '',
  validate: text => (isProxyAddress(text) ? undefined : 'A proxy’s address looks like http://proxy.example.com:3128.'),
  toEvent: text => {
    const {proxy, passwords} = proxyFromAnswer(text);
    return saying(state, {proxy}, {proxyPasswords: {...state.answers.proxyPasswords, ...passwords}});
  },
});

const withoutProxy = (state: WizardState): Offer => ({
  label: 'Use no proxy',
  hint: 'Connects directly.',
  event: saying(state, {proxy: 'none'}),
});

/** Asks for the file of a client certificate. The field holds the path that was entered or taken back before. */
const clientCertificate = (state: WizardState): Offer => ({
  label: 'Use a client certificate',
  hint: 'A PEM file that contains the certificate and its key.',
  ask: 'Path of the file',
  initial: certificateIn(state.answers) ?? certificateIn(state.takenBack) ?? '',
  validate: text => (isFullPath(text) ? undefined : 'Enter the full path.'),
  toEvent: text => {
    const file = fullPathOf(text, state);
    return saying(state, {clientCertificate: {certificate: file, key: file}});
  },
});

const certificateIn = (answers: Answers | undefined) => answers?.network?.clientCertificate?.certificate;

/** Returns a path with `~` replaced by the home directory. */
export const fullPathOf = (path: string, {settings}: Pick<WizardState, 'settings'>): string =>
  path.replace(/^~(?=[\\/])/, settings.place.home);

/** Whether a path is absolute, or begins with `~`. */
export const isFullPath = (path: string): boolean => /^(~?[\\/]|[A-Za-z]:[\\/])/.test(path);
