import {parseBaseDomain} from '../../platform/addresses.ts';
import type {CompanyDefaults, CompanyFile} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Settings, WizardState} from '../model.ts';
import {kindsOf} from './deployment-of.ts';
import {isResumed} from './purpose.ts';

type Known = Pick<WizardState, 'settings' | 'answers' | 'facts'>;

/** The company file that there is: the one that the person named, else that of the base domain. */
export const companyFileIn = ({settings, answers, facts}: Known): CompanyFile | undefined => {
  if (isResumed({answers})) return undefined;
  const ofDomain = facts.companyFile?.baseDomain === answers.baseDomain ? facts.companyFile?.file : undefined;
  const named = settings.companyFile;
  return named && isAbout(named, answers.baseDomain) ? named : ofDomain;
};

/** Whether a company file that was named is about the platform that is looked for. */
const isAbout = ({company}: CompanyFile, baseDomain: string | undefined): boolean =>
  baseDomain === undefined || parseBaseDomain(baseDomain, [company.platform]).name === company.baseDomain;

/** Whether it is still to be decided if the company file counts. */
export const isCompanyUndecided = (state: Known): boolean =>
  companyFileIn(state) !== undefined && state.answers.company === undefined;

const companyIn = (state: Known) => (state.answers.company === 'use' ? companyFileIn(state)?.company : undefined);

/** The kinds of platform that this run may meet, the usual one first: with a company file that counts it is that one. */
export const kindsIn = (state: Known): readonly Platform[] => {
  const company = companyIn(state);
  return company ? [company.platform] : kindsOf(state.settings);
};

/** What a company file that counts suggests. */
export const companyDefaultsIn = (state: Known): CompanyDefaults => companyIn(state)?.defaults ?? {};

/** Whom to ask about the platform, as a company file says that counts, or the one by which the deployment was saved. */
export const contactIn = (state: Known): string | undefined => {
  const {saved} = state.settings;
  const isSaved = saved !== undefined && saved.baseDomain === state.facts.deployment?.baseDomain;
  return companyIn(state)?.contact ?? (isSaved ? saved.contact : undefined);
};

/** What the choice of assistants begins with: as flags say, else as the company does. */
export const connectIn = (state: Known): NonNullable<Settings['connect']> => {
  const {scope, method, tools} = companyDefaultsIn(state);
  return {
    ...(scope ? {scope} : {}),
    ...(method ? {method} : {}),
    ...(tools ? {tools} : {}),
    ...state.settings.connect,
  };
};

/** The base domain whose company file is to be looked for; undefined where that is known, or nobody wants to know. */
export const companyDomainIn = ({settings, answers, facts}: Known): string | undefined => {
  const {baseDomain, addresses} = answers;
  const isWanted = settings.version !== undefined && addresses?.controlPlaneUrl === undefined;
  const isKnown = companyFileIn({settings, answers, facts}) || facts.companyFile?.baseDomain === baseDomain;
  return isWanted && !isKnown ? baseDomain : undefined;
};

/** Whether a company file says something of the platform that is not known from the saved deployment. */
export const isNews = ({company}: CompanyFile, {settings}: Pick<WizardState, 'settings'>): boolean =>
  kindsOf(settings).every(({changes}) => JSON.stringify(changes) !== JSON.stringify(company.platform.changes));
