import {hasJwt} from '../../text.ts';
import type {CompanyFault} from './company-fault.ts';

/** What members are called that hold a secret. */
const secretName = /secret|passw|token|private_?-?key|api_?-?key|credential/i;

/** What secrets look like besides a JWT: a PEM key, a password in an address, tokens whose makers mark them. */
const secretTexts = [
  /-----BEGIN [A-Z ]*(?:PRIVATE KEY|CERTIFICATE)/,
  /:\/\/[^/\s@:]*:[^/\s@]+@/,
  /\b(?:gh[pousr]_|github_pat_|glpat-|xox[abp]-|AKIA)\w{10}/,
];

const isSecret = (text: string) => hasJwt(text) || secretTexts.some(one => one.test(text));

/** The path of the token endpoint has the name of what it gives out. */
const TOKEN_PATH = 'platform.paths.token';

/** What of a company file is, or is called like, a secret: everybody can read the file. The text itself is not repeated. */
export const secretsIn = (value: unknown, path: readonly string[] = []): readonly CompanyFault[] => {
  const at = path.join('.');
  const code = 'input-company-file-secret';
  if (typeof value === 'string') {
    return isSecret(value) ? [{code, path: at, sentence: 'looks like a secret'}] : [];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const here = [...path, key];
    const isCalled = !Array.isArray(value) && secretName.test(key) && here.join('.') !== TOKEN_PATH;
    return isCalled
      ? [{code, path: here.join('.'), sentence: 'has the name of a secret'} as const]
      : secretsIn(item, here);
  });
};
