import {commandLine} from '../../assistants/formats/command-line.ts';
import {type ErrorCode, SetupError} from '../../errors/errors.ts';
import {phrase, setup} from '../../errors/remedy.ts';
import {parseJson} from '../../json.ts';
import {
  COMPANY_FILE_SIZE,
  type CompanyFault,
  type CompanyFile,
  type JudgedCompany,
  judgeCompany,
} from '../../platform/company-file.ts';
import {showUrl} from '../../ports/network/curl.ts';
import type {HttpReply} from '../../ports/ports.ts';
import {cleanText} from '../../text.ts';
import {isSuccess} from '../answers.ts';
import type {Flow, Run} from '../flow.ts';
import {stoppable} from '../stoppable.ts';

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
type Input = {readonly source: string; readonly version: string};

/** The judgement of a file, with the JSON in it; the texts of its faults are safe to show. */
export type JudgedFile = JudgedCompany & {readonly json: unknown};

/**
 * Reads the company file that a person named, and judges it.
 *
 * @throws SetupError `input-company-file-…` if there is nothing to judge, or a network error
 */
export const judgeCompanyFile: Flow<Input, JudgedFile> = ({source, version}, run) =>
  stoppable(run, async run => {
    const text = isAddress(source) ? await textAt(new URL(source), run) : await textOf(source, run);
    return judgeText(text, source, version);
  });

/**
 * Reads and judges a company file that is to be used.
 *
 * @throws SetupError as `judgeCompanyFile` does, and for the first fault
 */
export const readCompanyFile: Flow<Input, CompanyFile> = async (input, run) => {
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
