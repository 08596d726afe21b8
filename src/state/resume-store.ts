import type {Files} from '../ports/storage.ts';
import {formatJson, isObject, readJsonFile} from '../store/json-files.ts';
import {secretSource} from './derived/last-sign-in.ts';
import {isByClient, isObserverMissing} from './derived/wizard-deployment.ts';
import type {Answers, Failure, Terms, Unfinished, WizardState} from './model.ts';

/** Stores the answers of a wizard that was left before its end, without secrets: the person types those again. */
export type ResumeStore = {
  read(): Promise<Unfinished | undefined>;
  /** Saves what the next run needs to continue. @returns whether it is saved */
  save(unfinished: Unfinished): Promise<boolean>;
  clear(): Promise<void>;
};

/**
 * Creates the store. It is written after every answer, so that even a killed run keeps the last one. An error is
 * ignored: the store is only a convenience.
 */
export const createResumeStore = (files: Files, path: string): ResumeStore => ({
  read: async () => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    if (json?.version !== 1 || !isObject(json.answers)) return undefined;
    // The file is the program's own, for this version. An answer that does not fit is only a suggestion, which later
    // steps correct.
    return json.answers as Unfinished;
  },
  save: async answers => {
    const options = {mode: 0o600, tighten: true, own: true, journal: false};
    return files.write(path, formatJson({version: 1, answers}), options).then(
      () => true,
      () => false,
    );
  },
  clear: () => files.remove(path).catch(() => undefined),
});

/**
 * Returns what the next run can continue with: no secrets and no answers that depend on one. It is empty as long as the
 * platform that the person named has never answered.
 */
export const unfinishedOf = ({answers, facts, settings, chosen, failure, created}: WizardState): Unfinished => {
  const {baseDomain, deploymentAccepted} = answers;
  // The platform answered in the run that this one continues, and may only be out of reach now.
  const isKnown = deploymentAccepted === true && baseDomain === settings.unfinished?.baseDomain;
  if (facts.deployment === undefined && !isKnown && !hasAnswered(failure)) return {};
  const {clientEntered: _, adminEntered: __, changesAccepted: ___, resume: ____, ...known} = answers;
  // A company file may change until the next run, so the person is asked about it again.
  const {company: _company, ...rest} = known;
  const {clientSecret, adminPassword, proxyPasswords, ...withoutSecrets} = rest;
  // A secret that was typed for another way to sign in is not asked for again.
  const isTyped =
    isByClient({answers}) && clientSecret !== undefined && secretSource({settings}, answers) === undefined;
  // An administrator is needed only once: the created client is saved with its secret.
  const {client} = facts;
  const isToCreate = answers.signIn === 'create-mcp-client' && adminPassword !== undefined && !client;
  const hadSecret = isTyped || isToCreate || proxyPasswords !== undefined;
  const {existingClient: _existing, ...settled} = withoutSecrets;
  const terms = termsOf({answers, settings});
  // A client stays saved if the person turns to another way to sign in.
  const ids = [...(settings.unfinished?.savedClients ?? []), ...created, ...(client ? [client.clientId] : [])];
  const savedClients = [...new Set(ids)];
  return {
    ...(deploymentAccepted && baseDomain === undefined ? whereFound(facts) : {}),
    ...(client ? settled : withoutSecrets),
    ...(savedClients.length > 0 ? {savedClients} : {}),
    ...(hadSecret ? {hadSecret} : {}),
    ...(Object.keys(terms).length > 0 ? {terms} : {}),
    ...(chosen && answers.connect === undefined ? {chosen} : {}),
  };
};

/** Whether a part of the platform has answered, although the search for it failed. */
const hasAnswered = (failure: Failure | undefined): boolean =>
  failure !== undefined && (failure.untrusted !== undefined || isObserverMissing(failure));

/**
 * Returns the addresses of a platform that was found without being named, so that the next run cannot find another one
 * and treat it as accepted.
 */
const whereFound = ({deployment}: WizardState['facts']): Pick<Answers, 'baseDomain' | 'addresses'> => {
  if (!deployment) return {};
  const {baseDomain, controlPlaneUrl, observerUrl, authUrl} = deployment;
  return {baseDomain, addresses: {controlPlaneUrl, authUrl, ...(observerUrl ? {observerUrl} : {})}};
};

/** Returns the settings from flags for the sign-in of people: of this run, or of the run that this one continues. */
const termsOf = ({answers, settings}: Pick<WizardState, 'answers' | 'settings'>): Terms => {
  const {redirectUri, asks, assumesPkce, unfinished} = settings;
  return {
    ...(answers.begun === 'go-on' ? unfinished?.terms : {}),
    ...(redirectUri === undefined ? {} : {redirectUri}),
    ...(asks === undefined ? {} : {asks}),
    ...(assumesPkce === undefined ? {} : {assumesPkce}),
  };
};

/** Whether the answers include one that a person would not like to give twice. */
export const isWorthResuming = ({baseDomain, deploymentAccepted, signIn}: Answers): boolean =>
  baseDomain !== undefined || deploymentAccepted !== undefined || signIn !== undefined;

/**
 * Whether a run goes on with what was left: if its flags answer nothing, or if they say the same as before and the run
 * that was left has created an MCP client, which would be lost to the person otherwise.
 */
export const isContinuing = (answers: Answers, {savedClients, ...before}: Unfinished): boolean => {
  const typed = Object.entries(answers);
  const known: Readonly<Record<string, unknown>> = before;
  const isSaidBefore = ([key, value]: readonly [string, unknown]) =>
    JSON.stringify(value) === JSON.stringify(known[key]);
  return typed.length === 0 || (savedClients !== undefined && typed.every(isSaidBefore));
};
