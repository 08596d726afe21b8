import type {Files} from '../../ports/storage.ts';
import type {Answers} from '../model.ts';
import {formatJson, isObject, readJsonFile} from './json-file.ts';

/** The answers of a wizard that was left before its end. No secrets: those are typed again. */
export type ResumeStore = {
  read(): Promise<Answers | undefined>;
  /** Keeps what the next run needs to go on; answers that rest on a secret are left out. */
  save(answers: Answers): Promise<void>;
  clear(): Promise<void>;
};

/** Kept with every answer, so that also a kill leaves the last one. Never a reason to fail: it is a convenience. */
export const createResumeStore = (files: Files, path: string): ResumeStore => ({
  read: async () => {
    const json = await readJsonFile(files, path).catch(() => undefined);
    if (json?.version !== 1 || !isObject(json.answers)) return undefined;
    // A store of our own, for this version: what does not fit is only a suggestion that is corrected on the way.
    return json.answers as Answers;
  },
  save: async answers => {
    const {clientEntered: _, adminEntered: __, changesAccepted: ___, resume: ____, ...known} = answers;
    // A company file may have changed until then: what it says is shown again before it counts.
    const {company: _company, ...said} = known;
    const {clientSecret: _secret, adminPassword: _password, proxyPasswords: _passwords, ...kept} = said;
    const options = {mode: 0o600, tighten: true, own: true, journal: false};
    await files.write(path, formatJson({version: 1, answers: kept}), options).catch(() => undefined);
  },
  clear: () => files.remove(path).catch(() => undefined),
});

/** Whether there is anything in it that a person would not like to answer twice. */
export const isWorthResuming = ({baseDomain, deploymentAccepted, signIn}: Answers): boolean =>
  baseDomain !== undefined || deploymentAccepted !== undefined || signIn !== undefined;
