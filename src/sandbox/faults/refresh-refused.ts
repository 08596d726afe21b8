import {bundled} from '../../platform/bundled.ts';
import {formOf, readBody, replayed} from '../http/body.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import {pathOf} from '../http/router.ts';
import type {Effect} from './effect.ts';

/** Answers every use of a refresh token as if it had been revoked (RFC 6749 5.2), and leaves the rest to the provider. */
const refusingRefresh =
  (handler: Handler): Handler =>
  async (request, response) => {
    if (request.method !== 'POST' || pathOf(request) !== bundled.paths.token) return handler(request, response);
    const body = await readBody(request);
    if (formOf(request, body).get('grant_type') !== 'refresh_token') return handler(replayed(request, body), response);
    sendJson(response, 400, refused, {'Cache-Control': 'no-store', Pragma: 'no-cache'});
  };

const refused = {error: 'invalid_grant', error_description: 'Invalid refresh token'};

// Long enough to be stored as a good token, too short for the next command.
export const refreshRefused: Effect = {before: {'identity-provider': refusingRefresh}, cliTokenLifetime: 35};
