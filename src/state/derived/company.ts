import {parseBaseDomain} from '../../platform/addresses.ts';
import type {CompanyDefaults, CompanyFile} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Settings, WizardState} from '../model.ts';
import {kindsOf} from './deployment-of.ts';
import {isResumed} from './purpose.ts';

type Known = Pick<WizardState, 'settings' | 'answers' | 'facts'>;

/** Returns the company file of this run: the one that the person named, otherwise the one of the base domain. */
export const companyFileIn = ({settings, answers, facts}: Known): CompanyFile | undefined => {
  if (isResumed({answers})) return undefined;
  const ofDomain = facts.companyFile?.baseDomain === answers.baseDomain ? facts.companyFile?.file : undefined;
  const named = settings.companyFile;
  return named && isAbout(named, answers.baseDomain) ? named : ofDomain;
};

/** Whether the company file that the person named is about the platform that the run looks for. */
const isAbout = ({company}: CompanyFile, baseDomain: string | undefined): boolean =>
  baseDomain === undefined || parseBaseDomain(baseDomain, [company.platform]).name === company.baseDomain;

/** Whether the person still has to decide if the company file is used. */
export const isCompanyUndecided = (state: Known): boolean =>
  companyFileIn(state) !== undefined && state.answers.company === undefined;

const companyIn = (state: Known) => (state.answers.company === 'use' ? companyFileIn(state)?.company : undefined);

/** Returns the kinds of platform that this run may meet, the usual one first; only the company file's if it is used. */
export const kindsIn = (state: Known): readonly Platform[] => {
  const company = companyIn(state);
  return company ? [company.platform] : kindsOf(state.settings);
};

/** Returns the suggestions of the company file, if it is used. */
export const companyDefaultsIn = (state: Known): CompanyDefaults => companyIn(state)?.defaults ?? {};

/**
 * Returns the contact for questions about the platform: from the company file if it is used, otherwise the one that
 * was saved with the deployment.
 */
export const contactIn = (state: Known): string | undefined => {
  const {saved} = state.settings;
  const isSaved = saved !== undefined && saved.baseDomain === state.facts.deployment?.baseDomain;
  return companyIn(state)?.contact ?? (isSaved ? saved.contact : undefined);
};

/** Returns the initial values of the choice of assistants. Flags take precedence over the company file. */
export const connectIn = (state: Known): NonNullable<Settings['connect']> => {
  const {scope, method, tools} = companyDefaultsIn(state);
  return {
    ...(scope ? {scope} : {}),
    ...(method ? {method} : {}),
    ...(tools ? {tools} : {}),
    ...state.settings.connect,
  };
};

/** Returns the base domain whose company file has to be looked for; undefined if there is nothing to look for. */
export const companyDomainIn = ({settings, answers, facts}: Known): string | undefined => {
  const {baseDomain, addresses} = answers;
  const isWanted = settings.version !== undefined && addresses?.controlPlaneUrl === undefined;
  const isKnown = companyFileIn({settings, answers, facts}) || facts.companyFile?.baseDomain === baseDomain;
  return isWanted && !isKnown ? baseDomain : undefined;
};

/** Whether a company file says anything about the platform that is not known already. */
export const isNews = ({company}: CompanyFile, {settings}: Pick<WizardState, 'settings'>): boolean =>
  kindsOf(settings).every(({changes}) => JSON.stringify(changes) !== JSON.stringify(company.platform.changes));
