import type {Platform, Release} from './platform.ts';

/** A control plane's description of itself. Members that it does not state are absent. */
export type SelfDescription = {
  /** `name` in its version. */
  readonly name?: string;
  /** Its protected resource metadata (RFC 9728). */
  readonly metadata?: Readonly<Record<string, unknown>>;
};

/**
 * Returns the kind of platform of a control plane, by its own description and not by its address; undefined if unknown.
 */
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

/** Returns the first two numbers of a version, ignoring a leading `v` and what follows; undefined if there are none. */
const lineOf = (version: string): readonly [number, number] | undefined => {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  return major === undefined || minor === undefined ? undefined : [Number(major), Number(minor)];
};

const compare = (one: readonly [number, number], other: readonly [number, number]) =>
  one[0] - other[0] || one[1] - other[1];

/**
 * Returns the facts about the newest known release that is not newer than a version; about the oldest if all are newer.
 * A version without numbers, as a development build may have, counts as the newest.
 */
export const releaseOf = ({releases}: Platform, version: string | undefined): Release => {
  const line = version === undefined ? undefined : lineOf(version);
  const known = line ? releases.filter(one => compare(lineOf(one.line) ?? line, line) <= 0) : releases;
  const release = known.at(-1) ?? releases[0];
  if (!release) throw new Error('A platform has releases.');
  return release;
};

/** Whether a version names its release: a build from source calls itself `not-set`. */
export const tellsRelease = (version: string | undefined): version is string =>
  version !== undefined && lineOf(version) !== undefined;

/** Whether a release's control plane can be asked to grant a role; otherwise only the cluster can. */
export const hasRoleApi = (platform: Platform, version: string | undefined): boolean =>
  releaseOf(platform, version).roles?.api !== undefined;

/**
 * Returns the tool sets that a client of this release's control plane can choose, by purpose; undefined if it cannot.
 */
export const toolSetsOf = (platform: Platform, version: string | undefined): Release['toolSets'] =>
  releaseOf(platform, version).toolSets;

/** Whether a version is older or newer than those that this program was made for. Undefined if it has no numbers. */
export const ageOf = ({releases}: Platform, version: string): 'older' | 'known' | 'newer' | undefined => {
  const line = lineOf(version);
  const [oldest, newest] = [releases[0], releases.at(-1)].map(one => (one ? lineOf(one.line) : undefined));
  if (!line || !oldest || !newest) return undefined;
  if (compare(line, oldest) < 0) return 'older';
  return compare(line, newest) > 0 ? 'newer' : 'known';
};

/** Returns the public client that an installation of this release has created for people's assistants. */
export const assistantClientOf = ({assistantClient}: Platform, version: string | undefined): string | undefined =>
  assistantClient && isFrom(assistantClient.from, version) ? assistantClient.clientId : undefined;

/** Whether a release is at least `from`; an unknown release counts as the newest. */
const isFrom = (from: string, version: string | undefined): boolean => {
  const line = version === undefined ? undefined : lineOf(version);
  return !line || compare(lineOf(from) ?? line, line) <= 0;
};

/** Returns the clients that an installation of this release has created for assistants. */
export const preparedClientsOf = ({preparedClients}: Platform, version: string | undefined): readonly string[] =>
  preparedClients.filter(({from}) => isFrom(from, version)).map(one => one.clientId);

/** Returns the three numbers of a version; undefined if it is not a version (SemVer 2.0.0, 2). */
const numbersIn = (version: string): readonly number[] | undefined =>
  /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version)?.slice(1).map(Number);

/** Whether a version is newer than another by its three numbers. False if one of them is not a version. */
export const isNewer = (version: string, other: string): boolean => {
  const [one, two] = [numbersIn(version), numbersIn(other)];
  if (!one || !two) return false;
  const at = one.findIndex((number, index) => number !== two[index]);
  return at !== -1 && (one[at] ?? 0) > (two[at] ?? 0);
};

/** Returns the tools that only read although their names do not say so, of every release of a platform. */
export const readingToolsOf = ({releases}: Platform): readonly string[] =>
  releases.flatMap(({readingTools = []}) => readingTools);
