import {SetupError} from '../errors/errors.ts';
import bundledDescriptor from './descriptors/bundled.json' with {type: 'json'};
import openchoreoDescriptor from './descriptors/openchoreo.json' with {type: 'json'};
import {changed, type Platform, type PlatformChanges} from './platform.ts';

/** The platform as its owners describe it: bundled identity provider, local k3d addresses, since release 0.14. */
export const bundled = bundledDescriptor as Platform;

/** OpenChoreo: the bundled platform under its own names, with Thunder, later ThunderID, as the identity provider. */
export const openchoreo = openchoreoDescriptor as Platform;

export const platforms: readonly Platform[] = [bundled, openchoreo];

/**
 * Returns the kind of platform with that ID.
 *
 * @throws SetupError `input-invalid` if there is none
 */
export const findPlatform = (id: string): Platform => {
  const platform = platforms.find(one => one.id === id);
  if (platform) return platform;
  const known = platforms.map(one => one.id).join(', ');
  throw new SetupError('input-invalid', `There is no platform called ${id}. Known: ${known}.`);
};

/** A deployment's kind of platform as it is saved: its ID, and the changes of a company file. */
export type PlatformThere = {readonly platform: string; readonly descriptor?: PlatformChanges};

/**
 * Returns the kind of platform of a deployment, with the changes of its company.
 *
 * @throws SetupError `input-invalid` for an unknown kind
 */
export const platformOfDeployment = ({platform, descriptor}: PlatformThere): Platform => {
  const kind = findPlatform(platform);
  return descriptor ? changed(kind, descriptor) : kind;
};
