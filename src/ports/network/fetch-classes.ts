/**
 * The classes of the Fetch standard that an OAuth client needs. They come from the undici that makes the calls: for the
 * global classes Node would load its own copy of undici, with HTTP/2.
 */
// biome-ignore lint/performance/noBarrelFile: These two files of undici are used together, and have no types of their own.
export {Headers} from 'undici/lib/web/fetch/headers.js';
export {Response} from 'undici/lib/web/fetch/response.js';
