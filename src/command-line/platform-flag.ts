import {quietRun} from '../flows/flow.ts';
import {parseBaseDomain} from '../platform/addresses.ts';
import {type CompanyFile, checkBelongs} from '../platform/company-file.ts';
import type {Platform} from '../platform/platform.ts';
import {bundled, findPlatform, platforms} from '../platform/platforms.ts';
import type {Ports} from '../ports/ports.ts';
import type {Answers, Settings} from '../state/model.ts';
import {version} from '../version.ts';
import type {Invocation} from './command.ts';

type About = Pick<Invocation, 'flags' | 'signal'>;

/**
 * Returns the company file that `--platform` names by a path or an address. A single word is the ID of a kind of
 * platform.
 *
 * @throws SetupError `input-company-file-…` if the file is refused
 */
export const companyFileOf = async ({flags, signal}: About, ports: Ports): Promise<CompanyFile | undefined> => {
  const {platform: source} = flags;
  if (source === undefined || !/[./\\]/.test(source)) return undefined;
  const {readCompanyFile} = await import('../flows/deployment/find-company-file.ts');
  const file = await readCompanyFile({source, version}, quietRun(ports, signal));
  const baseDomain = flags['base-domain'];
  if (baseDomain !== undefined)
    checkBelongs(file.company, parseBaseDomain(baseDomain, [file.company.platform]), source);
  return file;
};

/**
 * Returns the kind of platform that `--platform` names.
 *
 * @throws SetupError `input-invalid`, or as {@link companyFileOf} does
 */
export const platformNamed = async (about: About, ports: Ports): Promise<Platform | undefined> => {
  const file = await companyFileOf(about, ports);
  const {platform: id} = about.flags;
  return file?.company.platform ?? (id === undefined ? undefined : findPlatform(id));
};

/** Returns the settings about the platform. Servers' answers decide its kind, unless the person names it. */
export const platformSettings = async (
  about: About,
  ports: Ports,
): Promise<Pick<Settings, 'platform' | 'kinds' | 'companyFile' | 'version'>> => {
  const companyFile = await companyFileOf(about, ports);
  const {platform: id} = about.flags;
  if (companyFile) return {platform: bundled, kinds: platforms, companyFile, version};
  // If the person names a kind of platform, that decides. Without `version` no company file is looked for.
  return id === undefined ? {platform: bundled, kinds: platforms, version} : {platform: findPlatform(id)};
};

/** Adds the base domain of a named company file, unless the answers say where the platform is. */
export const whereaboutsIn = ({companyFile}: Pick<Settings, 'companyFile'>, answers: Answers): Answers => {
  const isSaid = answers.baseDomain !== undefined || answers.addresses?.controlPlaneUrl !== undefined;
  return companyFile && !isSaid ? {...answers, baseDomain: companyFile.company.baseDomain} : answers;
};
