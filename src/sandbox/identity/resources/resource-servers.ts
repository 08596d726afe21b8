import type {IdentityRelease} from '../../releases/identity-release.ts';

/**
 * Which resource servers are registered (RFC 8707 2), and what the MCP servers take: any name, and any audience; none,
 * and any audience; the control plane's for both of them; or each server its own.
 */
export type ResourceMode = 'unchecked' | 'none' | 'one' | 'each';

export type ResourceServers = {
  /** What clients may name; undefined where any name does. */
  readonly registered?: readonly string[];
  /** The audiences that each server takes; undefined where it does not look. */
  readonly accepted: {readonly controlPlane?: readonly string[]; readonly observer?: readonly string[]};
};

/** @param urls the resource identifiers of the two MCP servers */
export const resourceServers = (
  mode: ResourceMode,
  {controlPlane, observer}: {readonly controlPlane: string; readonly observer: string},
): ResourceServers => {
  const modes: {readonly [M in ResourceMode]: ResourceServers} = {
    unchecked: {accepted: {}},
    none: {registered: [], accepted: {}},
    one: {registered: [controlPlane], accepted: {controlPlane: [controlPlane], observer: [controlPlane]}},
    each: {
      registered: [controlPlane, observer],
      accepted: {controlPlane: [controlPlane], observer: [observer]},
    },
  };
  return modes[mode];
};

const unregistered = 'The resource parameter does not match any registered resource server';
const several = 'Only a single resource parameter is supported';

/** Why a request for these resources is refused as `invalid_target` (RFC 8707 2), or undefined when it is not. */
export const targetProblem = (
  requested: readonly string[],
  {registered}: ResourceServers,
  {onlyOne}: IdentityRelease['resources'],
): string | undefined => {
  if (onlyOne && requested.length > 1) return several;
  return registered && !requested.every(one => registered.includes(one)) ? unregistered : undefined;
};

/** Why a client's own request for a scope is refused that names no resource. */
export const noDefaultResource = 'No resource parameter supplied and no default resource server is configured';
