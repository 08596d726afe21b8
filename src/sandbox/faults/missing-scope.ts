import type {Effect} from './effect.ts';

/** A scope that is given to whoever asks for it, and that nobody knows of who does not (RFC 6750 3.1). */
export const missingScope: Effect = {demandedScope: 'platform:mcp'};
