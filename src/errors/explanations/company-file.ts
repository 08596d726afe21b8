import type {Explanation} from './explanation.ts';

export const companyFileExplanations = {
  'input-company-file-missing': {
    name: 'company file not there',
    means: 'The company file could not be read.',
    why: 'The path or the address is wrong, or the server asks for a sign-in before it hands the file out.',
  },
  'input-company-file-redirect': {
    name: 'company file moved',
    means: 'The server redirects to another address instead of answering with the company file.',
    why: 'A redirect could lead to another company’s host, so none is followed.',
  },
  'input-company-file-large': {
    name: 'company file too large',
    means: 'The company file is larger than 64 KiB.',
    why: 'Another document was named, or a file was put there that holds more than a company file may.',
  },
  'input-company-file-syntax': {
    name: 'company file not JSON',
    means: 'The company file is not a JSON object.',
    why: 'A comma is missing, the file has comments, or a web page was answered in its place.',
  },
  'input-company-file-field': {
    name: 'company file not understood',
    means: 'A field of the company file is unknown, missing or of the wrong type.',
    why: 'A typo, or a field that only another version of this program knows.',
  },
  'input-company-file-host': {
    name: 'company file names another host',
    means: 'The company file names a host that is not below its base domain.',
    why: 'Somebody who may publish a file for one domain must not be able to send people’s sign-ins to another.',
  },
  'input-company-file-secret': {
    name: 'secret in the company file',
    means: 'The company file contains something that is called or looks like a secret.',
    why: 'The file is public. A client secret, a token or a key in it has to be considered known to everybody.',
  },
  'input-company-file-version': {
    name: 'company file needs a newer version',
    means: 'The company file is for a newer version of this program.',
    why: 'Whoever publishes it uses something that this version does not know yet.',
  },
  'input-company-file-elsewhere': {
    name: 'company file of another platform',
    means: 'The company file names another base domain than the one that was asked for.',
    why: 'The file was copied from another platform, or the wrong file was named.',
  },
} as const satisfies Record<string, Explanation>;
