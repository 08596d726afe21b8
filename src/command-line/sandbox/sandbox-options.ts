import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {SetupError} from '../../errors/errors.ts';
import type {Layout} from '../../platform/platform.ts';
import type {Extra, RefreshTokenUse} from '../../sandbox/releases/release.ts';
import type {SandboxOptions} from '../../sandbox/sandbox.ts';
import type {Invocation} from '../command.ts';
import type {FlagName, FlagValues} from '../flags.ts';
import {oneOf} from '../one-of.ts';

/** Returns the flags on the command line: variables describe the person's own platform, and a sandbox ignores them. */
export const typedFlags = ({flags, typed}: Pick<Invocation, 'flags' | 'typed'>): FlagValues =>
  Object.fromEntries(Object.entries(flags).filter(([name]) => typed.has(name as FlagName)));

type Choice = Required<Pick<SandboxOptions, 'release' | 'platform' | 'resources'>>;

type More = Pick<SandboxOptions, 'extras' | 'refreshTokens' | 'accessTokenLifetime' | 'signInLifetime'>;

const choices: {readonly [C in keyof Choice]: readonly Choice[C][]} = {
  release: ['0.14', '0.15', '0.16', '0.17', '1.0', '1.2', 'next'],
  platform: ['bundled', 'openchoreo'],
  resources: ['unchecked', 'none', 'one', 'each'],
};

const knownExtras: readonly Extra[] = ['revocation', 'device'];

const knownUses: readonly RefreshTokenUse[] = ['rotating', 'reusable', 'none'];

/**
 * Reads the options of a sandbox from `--release`, `--platform`, `--resources`, `--extras` and the flags about its
 * tokens.
 *
 * @throws SetupError `input-invalid`
 */
export const sandboxChoices = (flags: FlagValues): Partial<Choice> & More => ({
  ...chosen('release', flags.release),
  ...chosen('platform', flags.platform),
  ...chosen('resources', flags.resources),
  ...(flags.extras === undefined
    ? {}
    : {extras: flags.extras.split(',').map(text => oneOf('extras', text, knownExtras))}),
  ...(flags['refresh-tokens'] === undefined
    ? {}
    : {refreshTokens: oneOf('refresh-tokens', flags['refresh-tokens'], knownUses)}),
  ...(flags['token-life'] === undefined ? {} : {accessTokenLifetime: secondsIn('token-life', flags['token-life'])}),
  ...(flags['sign-in-life'] === undefined ? {} : {signInLifetime: secondsIn('sign-in-life', flags['sign-in-life'])}),
});

const chosen = <C extends keyof Choice>(name: C, text: string | undefined): {readonly [N in C]?: Choice[N]} =>
  text === undefined ? {} : ({[name]: oneOf(name, text, choices[name])} as {readonly [N in C]?: Choice[N]});

const secondsIn = (flag: FlagName, text: string): number => {
  const seconds = Number(text);
  if (/^\d+$/.test(text) && seconds > 0) return seconds;
  throw new SetupError('input-invalid', `--${flag} takes a number of seconds (1 or more), not ${text}.`);
};

/** Returns the layout that `--layout` means. @throws SetupError `input-invalid` */
export const layoutIn = (text: string | undefined): Layout => {
  if (text === undefined || text === 'single' || text === 'auto') return 'single';
  if (text === 'multi') return 'multi';
  throw new SetupError('input-invalid', `--layout takes single or multi, not ${text}.`);
};

/** Writes a certificate (PEM) to a file that other programs can be pointed to. `remove` deletes file and directory. */
export const createAuthorityFile = async (certificate: string) => {
  const directory = await mkdtemp(join(tmpdir(), 'platform-setup-sandbox-'));
  const path = join(directory, 'authority.pem');
  await writeFile(path, certificate, {mode: 0o644});
  return {path, remove: () => rm(directory, {recursive: true, force: true})};
};
