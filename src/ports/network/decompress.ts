import {pipeline, Readable, type Transform} from 'node:stream';
import {constants, createBrotliDecompress, createUnzip} from 'node:zlib';
import {failureAt} from './curl.ts';

/** Content codings that can be decoded. A server or a gateway may use one that was not requested (RFC 9110 8.4.1). */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createUnzip({flush: constants.Z_SYNC_FLUSH}),
  'x-gzip': () => createUnzip({flush: constants.Z_SYNC_FLUSH}),
  deflate: () => createUnzip({flush: constants.Z_SYNC_FLUSH}),
  br: () => createBrotliDecompress({flush: constants.BROTLI_OPERATION_FLUSH}),
};

/**
 * Decodes the content coding of a body, chunk by chunk as it arrives.
 *
 * @param coding as its header names it
 * @throws SetupError `platform-invalid-answer` for an unknown coding, or for bytes that are not in it; the errors of
 *   the body itself
 */
export async function* decompressed(
  body: AsyncIterable<Buffer>,
  coding: string,
  url: URL,
): AsyncGenerator<Buffer, void, void> {
  const name = coding.trim().toLowerCase();
  const create = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
  if (!create)
    throw failureAt(url, 'platform-invalid-answer', `encoded its answer as ${name}, which this program cannot decode.`);
  const decoder = create();
  // An error of the body is emitted by the decoder.
  pipeline(Readable.from(body, {objectMode: false}), decoder, () => {});
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    const isCorrupt =
      error instanceof Error && 'code' in error && /^(?:Z_|ERR_(?:_?BROTLI|ZLIB))/.test(String(error.code));
    throw isCorrupt
      ? failureAt(url, 'platform-invalid-answer', `says that its answer is encoded as ${name}, but it is not.`)
      : error;
  }
}
