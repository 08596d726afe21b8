import {findMetadata} from '../identity-providers/identity-provider.ts';
import type {HttpReply} from '../ports/ports.ts';
import {isSuccess, type JsonObject, readJson, statusError} from './answers.ts';

type Metadata = {
  readonly document: JsonObject;
  readonly address: URL;
  /** How long the answer took, in milliseconds. */
  readonly ms: number;
};

/**
 * Reads the metadata of an identity provider, wherever it is (RFC 8414 3.1, OpenID Connect Discovery 4.1). If it is
 * nowhere, the answer of the usual address is reported.
 *
 * @throws SetupError by the first answer that is neither a success nor 404, or by the first of all answers
 */
export const readMetadata = async (issuer: string, get: (address: URL) => Promise<HttpReply>): Promise<Metadata> => {
  let first: {readonly reply: HttpReply; readonly address: URL} | undefined;
  const found = await findMetadata(issuer, async address => {
    const reply = await get(address);
    first ??= {reply, address};
    return reply.status === 404 ? undefined : {reply, address};
  });
  const told = found ?? first;
  if (!told) throw new Error('There is a usual place.');
  const {reply, address} = told;
  if (!isSuccess(reply)) throw statusError(reply, address, {isOpen: true});
  return {document: readJson(reply, address), address, ms: reply.ms};
};
