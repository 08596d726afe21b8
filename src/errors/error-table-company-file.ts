import {SETUP} from '../setup-command.ts';
import {INPUT, row} from './error-row.ts';

/** Reasons to refuse a company file. */
export const companyFileRows = {
  'input-company-file-missing': row(INPUT, 'you', 'Check its path or address, and that everybody may read it.'),
  'input-company-file-redirect': row(INPUT, 'you', 'Use the address that it really has, on the base domain itself.'),
  'input-company-file-large': row(INPUT, 'you', 'Remove what is not needed: the limit is 64 KiB.'),
  'input-company-file-syntax': row(INPUT, 'you', 'Correct the file: it has to be one JSON object.'),
  'input-company-file-field': row(
    INPUT,
    'you',
    `Correct this field, or tell whoever publishes the file. To list every fault, run ${SETUP} platform check.`,
  ),
  'input-company-file-host': row(
    INPUT,
    'you',
    'Remove this address, or tell whoever publishes the file: it may name hosts below its base domain only.',
  ),
  'input-company-file-secret': row(
    INPUT,
    'you',
    'Remove the secret from the file and replace it at the identity provider: everybody can read the file.',
  ),
  'input-company-file-version': row(INPUT, 'you', `Update this program: ${SETUP} upgrade.`),
  'input-company-file-elsewhere': row(
    INPUT,
    'you',
    'Use the base domain that the file names, or the file of the base domain that you mean.',
  ),
} as const;
