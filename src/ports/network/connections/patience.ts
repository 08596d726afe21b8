import type {Patience} from '../../ports.ts';

/** For whatever is known, or was named by the person. */
export const patient: Patience = {name: 15_000, connect: 10_000, tunnel: 30_000, tls: 10_000};

/** What ran out of its time: a part of a connection, or the wait for an answer to begin. */
export class ConnectionTimeout extends Error {
  override readonly name = 'ConnectionTimeout';
  readonly code = 'ETIMEDOUT';
  readonly part: keyof Patience | 'answer';
  constructor(part: keyof Patience | 'answer') {
    super(`It took too long: ${part}.`);
    this.part = part;
  }
}
