import type {Effect} from './effect.ts';

/** `plain` proves nothing to whoever saw the authorization request (RFC 7636 7.2). */
export const noPkce: Effect = {metadata: metadata => ({...metadata, code_challenge_methods_supported: ['plain']})};
