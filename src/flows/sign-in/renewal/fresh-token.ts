import type {Context} from '../../../domain/context.ts';
import {SetupError} from '../../../errors/errors.ts';
import type {Ports} from '../../../ports/ports.ts';
import type {Flow, FlowEvent} from '../../flow.ts';

/**
 * Work that needs a token of a context. One that a server refuses although its time is not over is renewed, once: the
 * identity provider may have been installed anew, with other signing keys. What is refused again is refused.
 *
 * @throws SetupError as `accessToken`, and what `work` throws
 */
export async function* renewing<Output>(
  context: Context,
  work: (token: string) => AsyncGenerator<FlowEvent, Output, void>,
  ports: Ports,
  signal: AbortSignal,
): ReturnType<Flow<unknown, Output>> {
  const {accessToken, accessTokenInstead} = await import('./access-token.ts');
  const {accessToken: token} = yield* accessToken(context, ports, signal);
  try {
    return yield* work(token);
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'auth-token-refused') throw error;
    const fresh = yield* accessTokenInstead({context, refused: token}, ports, signal);
    return yield* work(fresh.accessToken);
  }
}
