import {SetupError} from '../errors/errors.ts';
import {bundled} from './bundled.ts';
import {openchoreo} from './openchoreo.ts';
import type {Platform} from './platform.ts';

export const platforms: readonly Platform[] = [bundled, openchoreo];

/** @throws SetupError `input-invalid` for a name that is none of them. */
export const findPlatform = (id: string): Platform => {
  const platform = platforms.find(one => one.id === id);
  if (platform) return platform;
  const known = platforms.map(one => one.id).join(', ');
  throw new SetupError('input-invalid', `There is no platform called ${id}. Known: ${known}.`);
};
