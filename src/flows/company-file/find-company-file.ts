import type {FoundDeployment} from '../../domain/context.ts';
import {cancelled, SetupError} from '../../errors/errors.ts';
import {type BaseDomain, companyFileUrlsOf, parseBaseDomain} from '../../platform/addresses.ts';
import {type CompanyFile, checkBelongs} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {isSuccess} from '../answers.ts';
import type {Flow, Run} from '../flow.ts';
import {markHandled, stoppable} from '../stoppable.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';
import {bodyOf, faultError, judgeText} from './read-company-file.ts';

type Input = {
  /** The base domain, as the person gave it. */
  readonly baseDomain: string;
  readonly platforms: readonly Platform[];
  readonly version: string;
  /** Aborts when the search no longer waits for an answer. */
  readonly late: AbortSignal;
};

/**
 * Looks for the company file of a base domain, at the address where it is published. Usually there is none, which is
 * not reported; a file that is refused is reported as a warning. Fails only when it is aborted.
 */
export const findCompanyFile = async (
  {baseDomain, platforms, version, late}: Input,
  run: Run,
): Promise<CompanyFile | undefined> => {
  const base = parseBaseDomain(baseDomain, platforms);
  const found = await Promise.all(
    companyFileUrlsOf(platforms, base).map(url => lookAt(url, base, {version, late}, run)),
  );
  return found.find(file => file !== undefined);
};

const lookAt = async (
  url: URL,
  base: BaseDomain,
  {version, late}: Pick<Input, 'version' | 'late'>,
  {ports, signal, tell}: Run,
): Promise<CompanyFile | undefined> => {
  const source = showUrl(url);
  try {
    const request = {method: 'GET', url, timeout: PROBE_TIMEOUT, isQuick: true, redirects: 'answer'} as const;
    const either = AbortSignal.any([signal, late]);
    const reply = await ports.http.send(request, {signal: either, report: tell});
    if (!isSuccess(reply) || !/^\s*\uFEFF?\{/.test(reply.body)) return undefined;
    const judged = await judgeText(bodyOf(reply, source), source, version);
    if ('faults' in judged) throw faultError(judged.faults, source);
    checkBelongs(judged.company, base, source);
    tell({type: 'company-file-found', source, name: judged.company.name});
    return {source, company: judged.company};
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    if (error.code.startsWith('input-company-file-')) {
      tell({type: 'warning', message: `The company file is not used (${error.code}). ${error.message}`});
    }
    return undefined;
  }
};

type BesideInput = {
  readonly baseDomain: string;
  readonly platforms: readonly Platform[];
  readonly version: string;
  /** Searches for the platform under its usual names. */
  search(run: Run): Promise<FoundDeployment>;
};

type Found = {readonly file?: CompanyFile; readonly found?: FoundDeployment};

/**
 * Looks for the company file of a base domain in parallel with the search for the platform, so that it costs almost no
 * time. If there is a file, the search may fail, because the platform may have other names.
 *
 * @throws SetupError as `search` does, if there is no company file
 */
export const searchBesideCompanyFile: Flow<BesideInput, Found> = ({search, ...input}, run) =>
  stoppable(run, async run => {
    const late = new AbortController();
    const searching = markHandled(search(run));
    const looking = markHandled(findCompanyFile({...input, late: late.signal}, run));
    void soonAfter(searching, run).then(
      () => late.abort(cancelled()),
      () => undefined,
    );
    const file = await looking;
    if (!file) return {found: await searching};
    const found = await searching.catch(() => undefined);
    run.signal.throwIfAborted();
    return {file, ...(found ? {found} : {})};
  });

/** How long to wait for a company file once the platform was found without it, in milliseconds. */
const GRACE = 500;

/** Ends a moment after the search has found something; fails if the search fails. */
const soonAfter = async (searching: Promise<unknown>, {ports, signal}: Run): Promise<void> => {
  await searching;
  await ports.clock.sleep(GRACE, signal);
};
