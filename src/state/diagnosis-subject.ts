import {SetupError} from '../errors.ts';
import type {Subject} from '../flows/diagnosis/check.ts';
import {parseBaseDomain} from '../platform/base-domain.ts';
import {candidatesOf} from '../platform/candidates.ts';
import type {WizardState} from './model.ts';

type Whereabouts = Pick<WizardState['settings'], 'platform' | 'layout'> &
  Pick<WizardState['answers'], 'baseDomain' | 'addresses'>;

/** The deployment that a base domain and addresses would give. @throws SetupError `input-invalid` */
export const subjectAt = ({platform, layout, baseDomain, addresses = {}}: Whereabouts): Subject => {
  const base = parseBaseDomain(baseDomain ?? platform.localBaseDomain, platform);
  const candidates = candidatesOf(platform, base, addresses, layout === 'auto' ? 'single' : layout);
  const urlOf = (service: string) => candidates.find(one => one.service === service)?.url;
  const [controlPlaneUrl, observerUrl, authUrl] = ['control-plane', 'observer', 'identity-provider'].map(urlOf);
  if (!controlPlaneUrl || !authUrl) {
    throw new SetupError('input-required', 'Neither the control plane nor the identity provider has an address.', {
      remedy: 'Pass --base-domain.',
    });
  }
  return {platform, controlPlaneUrl, ...(observerUrl ? {observerUrl} : {}), authUrl, issuer: authUrl};
};

/** What a diagnosis from the wizard is about: what it found, what is saved, or where it looked. Undefined for nowhere. */
export const subjectIn = ({settings, answers, facts}: WizardState): Subject | undefined => {
  const {platform, saved} = settings;
  const {deployment} = facts;
  const isSaved = saved !== undefined && answers.resume !== 'anew' && answers.begun !== 'go-on';
  const found = isSaved ? saved : deployment;
  if (found) {
    const {controlPlaneUrl, observerUrl, authUrl, issuer} = found;
    const context = isSaved ? {context: saved} : {};
    return {platform, ...context, controlPlaneUrl, ...(observerUrl ? {observerUrl} : {}), authUrl, issuer};
  }
  try {
    return subjectAt({...settings, ...answers});
  } catch {
    return undefined;
  }
};
