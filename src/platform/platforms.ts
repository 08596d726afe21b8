import {SetupError} from '../errors/errors.ts';
import bundledDescriptor from './descriptors/bundled.json' with {type: 'json'};
import openchoreoDescriptor from './descriptors/openchoreo.json' with {type: 'json'};
import {changed, type Platform, type PlatformChanges} from './platform.ts';

/** The platform as its owners describe it: bundled identity provider, local k3d addresses, from release line 0.14 on. */
export const bundled = bundledDescriptor as Platform;

/** OpenChoreo: the bundled platform under its own names, with Thunder, later ThunderID, as the identity provider. */
export const openchoreo = openchoreoDescriptor as Platform;

export const platforms: readonly Platform[] = [bundled, openchoreo];

/** @throws SetupError `input-invalid` for a name that is none of them. */
export const findPlatform = (id: string): Platform => {
  const platform = platforms.find(one => one.id === id);
  if (platform) return platform;
  const known = platforms.map(one => one.id).join(', ');
  throw new SetupError('input-invalid', `There is no platform called ${id}. Known: ${known}.`);
};

/** What is saved of a deployment's kind of platform: its id, and what a company file has changed of it. */
export type PlatformThere = {readonly platform: string; readonly descriptor?: PlatformChanges};

/**
 * The kind of platform of a deployment, as its company runs it.
 *
 * @throws SetupError `input-invalid` for a kind that there is not
 */
export const platformOfDeployment = ({platform, descriptor}: PlatformThere): Platform => {
  const kind = findPlatform(platform);
  return descriptor ? changed(kind, descriptor) : kind;
};
