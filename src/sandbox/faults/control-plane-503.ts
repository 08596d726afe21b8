import type {Handler} from '../http/handler.ts';
import {sendText} from '../http/reply.ts';
import type {Effect} from './effect.ts';

/** What a gateway says of a service none of whose instances is ready. */
const unavailable: Handler = (_, response) => sendText(response, 503, 'no healthy upstream');

export const controlPlane503: Effect = {before: {'control-plane': () => unavailable}};
