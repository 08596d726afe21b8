import type {Context} from '../../domain/context.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Run} from '../flow.ts';

/**
 * Runs work that needs an access token of a context. If a server refuses the token although it has not expired, renews
 * it and runs the work once more: the identity provider may have been reinstalled with other signing keys. A second
 * refusal is thrown.
 *
 * @throws SetupError as `accessToken` does, and what `work` throws
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
