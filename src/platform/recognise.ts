import type {Platform, Release} from './platform.ts';

/** What a control plane says of itself, as far as it does. */
export type SelfDescription = {
  /** `name` in its version. */
  readonly name?: string;
  /** Its protected resource metadata (RFC 9728). */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/** The kind of platform that a control plane is, by what it says and not by its address; undefined when it says nothing known. */
export const recognise = (
  platforms: readonly Platform[],
  {name, metadata = {}}: SelfDescription,
): Platform | undefined => {
  const {resource_name: resourceName} = metadata;
  return (
    platforms.find(({recognition}) => recognition.versionName === name) ??
    platforms.find(({recognition}) => recognition.resourceNames.some(known => known === resourceName)) ??
    platforms.find(({externalClientsKey}) => externalClientsKey in metadata)
  );
};

/** The first two numbers of a version, of which `v` and what follows do not matter; undefined where there are none. */
const lineOf = (version: string): readonly [number, number] | undefined => {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
};

const compare = (one: readonly [number, number], other: readonly [number, number]) =>
  one[0] - other[0] || one[1] - other[1];

/**
 * What is known of a release: the newest that is not newer. A version that is none, as a build of the development line
 * has it, counts as the newest.
 */
export const releaseOf = ({releases}: Platform, version: string | undefined): Release => {
  const line = version === undefined ? undefined : lineOf(version);
  const known = line ? releases.filter(one => compare(lineOf(one.line) ?? line, line) <= 0) : releases;
  const release = known.at(-1) ?? releases[0];
  if (!release) throw new Error('A platform has releases.');
  return release;
};

/** Whether a version says which release it is: a build from sources calls itself `not-set`. */
export const tellsRelease = (version: string | undefined): version is string =>
  version !== undefined && lineOf(version) !== undefined;

/** The sets of tools that a client of this release's control plane can choose, by who wants them; undefined where it cannot. */
export const toolSetsOf = (platform: Platform, version: string | undefined): Release['toolSets'] =>
  releaseOf(platform, version).toolSets;

/** Whether a version is one that this program was made for, or lies before or after those. Undefined where it is no number. */
export const ageOf = ({releases}: Platform, version: string): 'older' | 'known' | 'newer' | undefined => {
  const line = lineOf(version);
  const [oldest, newest] = [releases[0], releases.at(-1)].map(one => (one ? lineOf(one.line) : undefined));
  if (!line || !oldest || !newest) return undefined;
  if (compare(line, oldest) < 0) return 'older';
  return compare(line, newest) > 0 ? 'newer' : 'known';
};

/** The public client that an installation of this release made for people's assistants. */
export const assistantClientOf = ({assistantClient}: Platform, version: string | undefined): string | undefined =>
  assistantClient && isFrom(assistantClient.from, version) ? assistantClient.clientId : undefined;

/** Whether a release is not older than a line; one that is not told counts as the newest. */
const isFrom = (from: string, version: string | undefined): boolean => {
  const line = version === undefined ? undefined : lineOf(version);
  return !line || compare(lineOf(from) ?? line, line) <= 0;
};

/** Clients that an installation of this release made for assistants. */
export const preparedClientsOf = ({preparedClients}: Platform, version: string | undefined): readonly string[] =>
  preparedClients.filter(({from}) => isFrom(from, version)).map(one => one.clientId);

/** The three numbers of a version; undefined for what is none (SemVer 2.0.0, 2). */
const numbersIn = (version: string): readonly number[] | undefined =>
  /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version)?.slice(1).map(Number);

/** Whether a version is newer than another by its three numbers. False where one of them is no version. */
export const isNewer = (version: string, other: string): boolean => {
  const [one, two] = [numbersIn(version), numbersIn(other)];
  if (!one || !two) return false;
  const at = one.findIndex((number, index) => number !== two[index]);
  return at !== -1 && (one[at] ?? 0) > (two[at] ?? 0);
};
