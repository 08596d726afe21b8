/**
 * undici 8: leave out HTTP/2.
 *
 * This program speaks HTTP/1.1 only. The part of undici for HTTP/2 costs 7 MiB of memory in every process that makes a
 * call (figures: docs/decisions.md), and undici loads it with the first client.
 *
 * Upstream would have to load `client-h2.js` when a server agrees to HTTP/2. Then this patch can go.
 */
export const undici = {
  file: /undici\/lib\/dispatcher\/client-h2\.js$/,
  changes: [
    {
      place: /^[\s\S]*$/,
      put: () => 'module.exports = undefined;',
    },
  ],
};
