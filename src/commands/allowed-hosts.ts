import type {FlagValues} from './flags.ts';

/** The hosts of --allow-http: those that may be called without TLS. */
export const allowedHosts = (flags: FlagValues): readonly string[] =>
  (flags['allow-http'] ?? '')
    .split(',')
    .map(host => host.trim().toLowerCase())
    .filter(Boolean);
