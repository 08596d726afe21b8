import type {Effect} from './effect.ts';

export const oldControlPlane: Effect = {
  version: version => ({
    ...version,
    version: '0.12.3',
    gitRevision: '2f60c1ab',
    buildTime: '2025-11-18T09:12:00+0000',
  }),
};
