import {commandLine} from '../../assistants/formats/command-line.ts';
import type {FoundDeployment} from '../../domain/context.ts';
import {cancelled, type ErrorCode, SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {parseJson} from '../../json.ts';
import {type BaseDomain, companyFileUrlsOf, parseBaseDomain} from '../../platform/addresses.ts';
import {
  COMPANY_FILE_SIZE,
  type CompanyFault,
  type CompanyFile,
  checkBelongs,
  type JudgedCompany,
  judgeCompany,
} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import {showUrl} from '../../ports/network/curl.ts';
import type {HttpReply} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import type {Flow, Run} from '../flow.ts';
import {isSuccess} from '../http-answers.ts';
import {markHandled, stoppable} from '../stoppable.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';

/** Returns the first fault of a file as an error that says how many other faults there are. */
export const faultError = (faults: readonly CompanyFault[], source: string): SetupError => {
  const [first, ...others] = faults;
  if (!first) throw new Error('A file that is refused has a fault.');
  const more = others.length === 0 ? '' : `, and ${others.length} more ${others.length === 1 ? 'fault' : 'faults'}`;
  const where = first.path === '' ? 'it' : first.path;
  const shown = cleanText(source);
  const argument = commandLine([shown], process.platform === 'win32' ? 'win32' : 'linux');
  return new SetupError(first.code, `${shown}: ${where} ${first.sentence}${more}.`, {
    about: aboutSource(source),
    ...(first.code === 'input-company-file-field'
      ? {
          remedy: phrase`Correct this field, or tell whoever publishes the file. To list every fault, run ${setup('platform check', argument)}.`,
        }
      : {}),
  });
};

/** Whether a company file is named by its address, and not by its path. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source) && URL.canParse(source);

/** Returns the address or the path of a company file, for the details of an error. */
export const aboutSource = (source: string) => (isAddress(source) ? {url: showUrl(new URL(source))} : {path: source});

/** The path or address of a company file, and the version of this program. */
type ReadInput = {readonly source: string; readonly version: string};

/** The judgement of a file, with the JSON in it; the texts of its faults are safe to show. */
export type JudgedFile = JudgedCompany & {readonly json: unknown};

/**
 * Reads the company file that a person named, and judges it.
 *
 * @throws SetupError `input-company-file-…` if there is nothing to judge, or a network error
 */
export const judgeCompanyFile: Flow<ReadInput, JudgedFile> = ({source, version}, run) =>
  stoppable(run, async run => {
    const text = isAddress(source) ? await textAt(new URL(source), run) : await textOf(source, run);
    return judgeText(text, source, version);
  });

/**
 * Reads and judges a company file that is to be used.
 *
 * @throws SetupError as `judgeCompanyFile` does, and for the first fault
 */
export const readCompanyFile: Flow<ReadInput, CompanyFile> = async (input, run) => {
  const judged = await judgeCompanyFile(input, run);
  if ('company' in judged) return {source: input.source, company: judged.company};
  throw faultError(judged.faults, input.source);
};

/**
 * Reads a company file from its address.
 *
 * @throws SetupError `input-company-file-missing`, `-redirect`, `-large`, or a network error
 */
const textAt = async (url: URL, {ports, signal, tell}: Run): Promise<string> => {
  const reply = await ports.http.send({method: 'GET', url, redirects: 'answer'}, {signal, report: tell});
  const shown = showUrl(url);
  if (reply.status >= 300 && reply.status <= 399) {
    throw refused('redirect', `${shown} redirects, which was not followed.`, shown);
  }
  if (!isSuccess(reply)) throw refused('missing', `${shown} answered ${reply.status}.`, shown);
  return bodyOf(reply, shown);
};

/** Returns the body of an answer. @throws SetupError `input-company-file-large` */
export const bodyOf = ({body}: HttpReply, shown: string): string => {
  if (Buffer.byteLength(body) > COMPANY_FILE_SIZE) throw refused('large', `${shown} is larger than 64 KiB.`, shown);
  return body;
};

const textOf = async (path: string, {ports}: Run): Promise<string> => {
  const contents = await ports.files.read(path).catch(cause => {
    throw refused('missing', `${path} cannot be read.`, path, cause);
  });
  if (!contents) throw refused('missing', `There is no file ${path}.`, path);
  if (contents.bytes.length > COMPANY_FILE_SIZE) throw refused('large', `${path} is larger than 64 KiB.`, path);
  return contents.bytes.toString('utf8');
};

/** Judges the text of a company file. @throws SetupError `input-company-file-syntax` */
export const judgeText = async (text: string, source: string, version: string): Promise<JudgedFile> => {
  const json = objectIn(text.replace(/^\uFEFF/, ''), source);
  const judged = await judgeCompany(json, version);
  return {json, ...('company' in judged ? judged : {faults: judged.faults.map(clean)})};
};

const objectIn = (text: string, source: string): unknown => {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw refused('syntax', `${cleanText(source)} is not a JSON object.`, source);
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const clean = ({code, path, sentence}: CompanyFault): CompanyFault => ({
  code,
  path: cleanText(path),
  sentence: cleanText(sentence),
});

type Why = 'missing' | 'redirect' | 'large' | 'syntax';

const refused = (why: Why, message: string, source: string, cause?: unknown): SetupError => {
  const code: ErrorCode = `input-company-file-${why}`;
  return new SetupError(code, message, {about: aboutSource(source), ...(cause === undefined ? {} : {cause})});
};

type Input = {
  /** The base domain, as the person gave it. */
  readonly baseDomain: string;
  readonly platforms: readonly Platform[];
  readonly version: string;
  /** Aborts when the search no longer waits for an answer. */
  readonly late: AbortSignal;
};

/**
 * Looks for the company file of a base domain, at the addresses where it may be published. Usually there is none, which
 * is not reported; a file that is refused is reported as a warning.
 *
 * @throws SetupError `input-invalid` if the base domain is invalid; the signal's reason
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
