import descriptor from './descriptors/bundled.json' with {type: 'json'};
import type {Platform} from './platform.ts';

/** The platform as its owners describe it: bundled identity provider, local k3d addresses, from release line 0.14 on. */
export const bundled = descriptor as Platform;
