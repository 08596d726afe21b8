/** What the control plane says of itself, platform access 4.2. */
export const version = {
  name: 'platform-api',
  version: '0.14.0',
  gitRevision: '5b1d0f6e',
  buildTime: '2026-02-07T07:45:00+0000',
  goOS: 'linux',
  goArch: 'amd64',
  goVersion: 'go1.24.12',
};
