import descriptor from './descriptors/openchoreo.json' with {type: 'json'};
import type {Platform} from './platform.ts';

/** OpenChoreo: the bundled platform under its own names, with Thunder, later ThunderID, as the identity provider. */
export const openchoreo = descriptor as Platform;
