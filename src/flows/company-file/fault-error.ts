import {commandLine} from '../../assistants/formats/command-line.ts';
import {SetupError} from '../../errors/errors.ts';
import type {CompanyFault} from '../../platform/company-file.ts';
import {showUrl} from '../../ports/network/curl.ts';
import {SETUP} from '../../setup-command.ts';
import {cleanText} from '../../text.ts';

/** The first of a file's faults as a failure, which says how many there are besides. */
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
          remedy: `Correct this field, or tell whoever publishes the file. To list every fault, run ${SETUP} platform check ${argument}.`,
        }
      : {}),
  });
};

/** Whether a company file is named by its address. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source) && URL.canParse(source);

/** What a failure of a company file is about. */
export const aboutSource = (source: string) => (isAddress(source) ? {url: showUrl(new URL(source))} : {path: source});
