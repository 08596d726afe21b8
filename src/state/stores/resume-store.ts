import type {Files} from '../../ports/storage.ts';
import {secretSource} from '../derived/last-sign-in.ts';
import {isByClient} from '../derived/purpose.ts';
import type {Answers, Terms, Unfinished, WizardState} from '../model.ts';
import {formatJson, isObject, readJsonFile} from './json-file.ts';

/** The answers of a wizard that was left before its end. No secrets: those are typed again. */
export type ResumeStore = {
  read(): Promise<Unfinished | undefined>;
  /** Keeps what the next run needs to go on. @returns whether it is kept */
  save(unfinished: Unfinished): Promise<boolean>;
  clear(): Promise<void>;
};

/** Kept with every answer, so that also a kill leaves the last one. Never a reason to fail: it is a convenience. */
export const createResumeStore = (files: Files, path: string): ResumeStore => ({
  read: async () => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    if (json?.version !== 1 || !isObject(json.answers)) return undefined;
    // A store of our own, for this version: what does not fit is only a suggestion that is corrected on the way.
    return json.answers as Unfinished;
  },
  save: async kept => {
    const options = {mode: 0o600, tighten: true, own: true, journal: false};
    return files.write(path, formatJson({version: 1, answers: kept}), options).then(
      () => true,
      () => false,
    );
  },
  clear: () => files.remove(path).catch(() => undefined),
});

/**
 * What the next run can go on with: without secrets, without answers that rest on one, and nothing at all as long as the
 * platform that the person named has never answered.
 */
export const unfinishedOf = ({answers, facts, settings}: WizardState): Unfinished => {
  const {baseDomain, deploymentAccepted} = answers;
  // It answered in the run that this one goes on with, and may be out of reach only now.
  const isKnown = deploymentAccepted === true && baseDomain === settings.unfinished?.baseDomain;
  if (facts.deployment === undefined && !isKnown) return {};
  const {clientEntered: _, adminEntered: __, changesAccepted: ___, resume: ____, ...known} = answers;
  // A company file may have changed until then: what it says is shown again before it counts.
  const {company: _company, ...said} = known;
  const {clientSecret, adminPassword, proxyPasswords, ...kept} = said;
  // A secret that was typed for another way to sign in is not asked for again.
  const isTyped =
    isByClient({answers}) && clientSecret !== undefined && secretSource({settings}, answers) === undefined;
  // An administrator is needed once: the client that was created is kept, with its secret.
  const {client} = facts;
  const isToCreate = answers.signIn === 'create-mcp-client' && adminPassword !== undefined && !client;
  const hadSecret = isTyped || isToCreate || proxyPasswords !== undefined;
  const {existingClient: _existing, ...settled} = kept;
  const terms = termsOf({answers, settings});
  return {
    ...(deploymentAccepted && baseDomain === undefined ? whereFound(facts) : {}),
    ...(client ? {...settled, savedClient: client.clientId} : kept),
    ...(hadSecret ? {hadSecret} : {}),
    ...(Object.keys(terms).length > 0 ? {terms} : {}),
  };
};

/** Where a platform was found that nobody named: the next run must not find another one, and take it for agreed to. */
const whereFound = ({deployment}: WizardState['facts']): Pick<Answers, 'baseDomain' | 'addresses'> => {
  if (!deployment) return {};
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl} = deployment;
  return {baseDomain, addresses: {controlPlaneUrl, authUrl, ...(observerUrl ? {observerUrl} : {})}};
};

/** What flags said now, or in the run that this one goes on with. */
const termsOf = ({answers, settings}: Pick<WizardState, 'answers' | 'settings'>): Terms => {
  const {redirectUri, asks, assumesPkce, unfinished} = settings;
  return {
    ...(answers.begun === 'go-on' ? unfinished?.terms : {}),
    ...(redirectUri === undefined ? {} : {redirectUri}),
    ...(asks === undefined ? {} : {asks}),
    ...(assumesPkce === undefined ? {} : {assumesPkce}),
  };
};

/** Whether there is anything in it that a person would not like to answer twice. */
export const isWorthResuming = ({baseDomain, deploymentAccepted, signIn}: Answers): boolean =>
  baseDomain !== undefined || deploymentAccepted !== undefined || signIn !== undefined;
