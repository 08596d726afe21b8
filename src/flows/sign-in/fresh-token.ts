import type {Context} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Run} from '../flow.ts';

/**
 * Work that needs a token of a context. One that a server refuses although its time is not over is renewed, once: the
 * identity provider may have been installed anew, with other signing keys. What is refused again is refused.
 *
 * @throws SetupError as `accessToken`, and what `work` throws
 */
export const renewing = async <Output>(
  context: Context,
  work: (token: string) => Promise<Output>,
  run: Run,
): Promise<Output> => {
  const {accessToken, accessTokenInstead} = await import('./access-token.ts');
  const {accessToken: token} = await accessToken(context, run);
  try {
    return await work(token);
  } catch (error) {
    if (!(error instanceof SetupError) || error.code !== 'auth-token-refused') throw error;
    const fresh = await accessTokenInstead({context, refused: token}, run);
    return await work(fresh.accessToken);
  }
};
