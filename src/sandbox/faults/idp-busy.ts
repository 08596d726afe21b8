import {bundled} from '../../platform/bundled.ts';
import type {Handler} from '../http/handler.ts';
import {sendJson} from '../http/reply.ts';
import {atPath} from './at-path.ts';
import type {Effect} from './effect.ts';

/** What a rate limit says (RFC 6585 4), in whole seconds (RFC 9110 10.2.3): longer than a command waits by itself. */
const busy: Handler = (_, response) =>
  sendJson(
    response,
    429,
    {error: 'temporarily_unavailable', error_description: 'Too many requests'},
    {'Retry-After': '20', 'Cache-Control': 'no-store', Pragma: 'no-cache'},
  );

export const idpBusy: Effect = {before: {'identity-provider': atPath(bundled.paths.token, () => busy)}};
