/**
 * yoga-layout 3: compile its WebAssembly from bytes.
 *
 * Its loader fetches a `data:` URL with its WebAssembly. For `fetch`, Node loads a whole HTTP client, which takes a
 * sixth of the time to the first frame (figures: docs/decisions.md). The loader skips the fetch if it already has the
 * bytes, so this patch gives them to it.
 *
 * Upstream would have to decode its base64 with `Buffer.from` or `atob` if the platform is Node, before it tries
 * `fetch`. Then this patch can go.
 */
export const yogaLayout = {
  file: /yoga-wasm-base64-esm\.js$/,
  changes: [
    {
      place: /H="data:application\/octet-stream;base64,([^"]+)"/,
      put: (_, bytes) => `H="data:application/octet-stream;base64,";w=Buffer.from("${bytes}","base64")`,
    },
  ],
};
