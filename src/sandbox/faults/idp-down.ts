import {TLSSocket} from 'node:tls';
import type {Handler} from '../http/handler.ts';
import type {Effect} from './effect.ts';

/**
 * Resets the connection (RFC 9293 3.5.2), which is also what refusing one does on the wire. All hosts of the gateway
 * share its port, so that a connection cannot be refused for one of them before the host is known.
 */
const cut: Handler = ({socket}) => {
  // Node resets no connection from within TLS.
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
};

export const idpDown: Effect = {before: {'identity-provider': () => cut}};
