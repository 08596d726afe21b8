import type {Row} from '../error-row.ts';
import {INPUT} from '../exit-codes.ts';
import {phrase, setup} from '../remedy.ts';

/** Codes for a company file that is refused. */
export const companyFileCodes = {
  'input-company-file-missing': {
    exit: INPUT,
    whose: 'you',
    name: 'company file not there',
    means: 'The company file could not be read.',
    why: 'The path or the address is wrong, or the server asks for a sign-in before it hands the file out.',
    remedy: 'Check its path or address, and that everybody may read it.',
  },
  'input-company-file-redirect': {
    exit: INPUT,
    whose: 'you',
    orElse: 'whoever publishes the file',
    name: 'company file moved',
    means: 'The server redirects to another address instead of answering with the company file.',
    why: 'The file was moved. A redirect could lead to another company’s host, so this program does not follow it.',
    remedy:
      'Pass the file’s new address, if you trust it, or ask whoever publishes the file to serve it without a redirect.',
  },
  'input-company-file-large': {
    exit: INPUT,
    whose: 'you',
    orElse: 'whoever publishes the file',
    name: 'company file too large',
    means: 'The company file is larger than 64 KiB.',
    why: 'The path or address leads to another document, or the file holds more than a company file may.',
    remedy:
      'Check that the path or address leads to the company file. If it does, remove the parts that you do not need: the limit is 64 KiB.',
  },
  'input-company-file-syntax': {
    exit: INPUT,
    whose: 'you',
    orElse: 'whoever publishes the file',
    name: 'company file not JSON',
    means: 'The company file is not a JSON object.',
    why: 'A comma is missing, the file has comments, or the server returned a web page instead.',
    remedy:
      'Check that the path or address leads to the company file. If it does, correct the file: it must be one JSON object.',
  },
  'input-company-file-field': {
    exit: INPUT,
    whose: 'you',
    orElse: 'whoever publishes the file',
    name: 'company file not understood',
    means: 'A field of the company file is unknown, missing or of the wrong type.',
    why: 'A typo, or a field that only another version of this program knows.',
    remedy: phrase`Correct the field that the message names, or tell whoever publishes the file. To list every fault, run ${setup('platform check')}.`,
  },
  'input-company-file-host': {
    exit: INPUT,
    whose: 'you',
    orElse: 'whoever publishes the file',
    name: 'company file names another host',
    means: 'The company file names a host outside its base domain.',
    why: 'The file was copied or changed. It could send your sign-in to somebody else’s server, so it is not used.',
    remedy:
      'Remove the address that the message names, or tell whoever publishes the file: it may name only its base domain and hosts below it.',
  },
  'input-company-file-secret': {
    exit: INPUT,
    whose: 'you',
    orElse: 'whoever publishes the file',
    name: 'secret in the company file',
    means: 'The company file has a field that is named like a secret, or a value that looks like one.',
    why: 'Somebody put a client secret, a token or a key into the file.',
    remedy:
      'Remove the secret from the file and replace it at the identity provider, because everybody can read the file. Or tell whoever publishes it.',
  },
  'input-company-file-version': {
    exit: INPUT,
    whose: 'you',
    name: 'company file needs a newer version',
    means: 'The company file is for a newer version of this program.',
    why: 'The file uses something that this version does not know yet.',
    remedy: phrase`Update this program: ${setup('upgrade')}. If you did not get it from npm, ask the people who gave it to you for a newer version.`,
  },
  'input-company-file-elsewhere': {
    exit: INPUT,
    whose: 'you',
    name: 'company file of another platform',
    means: 'The company file is for a different base domain than the one you asked for.',
    why: 'The file was copied from another platform, or the wrong file was named.',
    remedy: 'Use the base domain that the file names, or the file of the base domain that you mean.',
  },
} as const satisfies Record<string, Row>;
