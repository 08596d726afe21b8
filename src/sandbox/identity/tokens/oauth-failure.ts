import type {OutgoingHttpHeaders, ServerResponse} from 'node:http';
import {sendJson} from '../../http/reply.ts';

/** An OAuth error answer on its way out (RFC 6749 5.2). */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';
  readonly status: number;
  readonly code: string;
  readonly headers: OutgoingHttpHeaders;

  constructor(status: number, code: string, description: string, headers: OutgoingHttpHeaders = {}) {
    super(description);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Sends an OAuth error. Throws anything else on. */
export const sendOAuthFailure = (response: ServerResponse, error: unknown) => {
  if (!(error instanceof OAuthFailure)) throw error;
  sendJson(response, error.status, {error: error.code, error_description: error.message}, error.headers);
};
