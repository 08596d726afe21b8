import {bundled} from '../../platform/bundled.ts';
import {sendText} from '../http/reply.ts';
import {atPath} from './at-path.ts';
import type {Effect} from './effect.ts';

/** What a gateway answers in front of a server that is overloaded, whoever asks (RFC 9110 15.6.4). In whole seconds. */
const busy = atPath(
  bundled.paths.mcp,
  () => (_, response) => sendText(response, 503, 'upstream overloaded', {'Retry-After': '3'}),
);

export const mcpBusy: Effect = {before: {'control-plane': busy, observer: busy}};
