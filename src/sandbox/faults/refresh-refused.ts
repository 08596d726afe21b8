import {bundled} from '../../platform/bundled.ts';
import {formOf, readBody, replayed} from '../http/body.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import {pathOf} from '../http/router.ts';

/** Answers every use of a refresh token as if it had been revoked (RFC 6749 5.2), and leaves the rest to the provider. */
export const refusingRefresh =
  (handler: Handler): Handler =>
  async (request, response) => {
    if (request.method !== 'POST' || pathOf(request) !== bundled.paths.token) return handler(request, response);
    const body = await readBody(request);
    if (formOf(request, body).get('grant_type') !== 'refresh_token') return handler(replayed(request, body), response);
    sendJson(response, 400, refused, {'Cache-Control': 'no-store', Pragma: 'no-cache'});
  };

const refused = {error: 'invalid_grant', error_description: 'Invalid refresh token'};
