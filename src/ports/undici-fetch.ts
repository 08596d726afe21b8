import parts from 'undici/lib/web/fetch/index.js';

/** undici's fetch, apart from its dispatchers: the two are loaded one after the other, so that a key in between is heard. */
export const {fetch} = parts;
