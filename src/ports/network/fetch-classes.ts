/**
 * The classes of the Fetch standard that an OAuth client needs. They are undici's, because the network is: Node loads
 * its own copy of undici for the global ones, with HTTP/2.
 */
// biome-ignore lint/performance/noBarrelFile: These two files of undici are used together, and have no types of their own.
export {Headers} from 'undici/lib/web/fetch/headers.js';
export {Response} from 'undici/lib/web/fetch/response.js';
