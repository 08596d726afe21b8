import type {Kind} from '../kinds/kind.ts';
import type {Release} from '../releases/release.ts';

/** What the control plane says of itself, platform access 4.2. */
export const versionOf = ({names}: Kind, {version}: Release) => ({
  name: names.controlPlane,
  ...version,
  goOS: 'linux',
  goArch: 'amd64',
  goVersion: 'go1.24.12',
});
