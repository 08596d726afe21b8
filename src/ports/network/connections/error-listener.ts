import type {Duplex} from 'node:stream';

/**
 * A connection on its way from one who made a part of it to one who makes the next. An error that nobody listens for
 * ends the program; this one is found by whoever has the connection next.
 */
export const held = <T extends Duplex>(connection: T): T => connection.on('error', () => {});

/** @throws what the connection broke off with, if it did while nobody was looking */
export const checkOpen = (connection: Duplex): void => {
  if (connection.destroyed) throw connection.errored ?? connectionEnded();
};

/** For a connection that ended without saying why. */
export const connectionEnded = (): Error => Object.assign(new Error('The connection ended.'), {code: 'ECONNRESET'});
