import type {Effect} from './effect.ts';

/** Well signed and in time, for another platform (RFC 9068 4). */
export const wrongAudience: Effect = {
  audienceCounts: true,
  tokenClaims: (claims, kind) => (kind === 'access' ? {...claims, aud: 'https://api.other.example/mcp'} : claims),
};
