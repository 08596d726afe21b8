import type {Context} from '../../../domain/context.ts';
import type {McpServer} from '../../../domain/mcp-servers.ts';
import {isRenewable} from '../../../domain/sign-in-lifecycle.ts';
import {contextFor, type TokenSet} from '../../../domain/tokens.ts';
import {onAbort} from '../../../on-abort.ts';
import {accessTokenInstead, accessTokenNow} from '../../sign-in/access-token.ts';
import {markHandled} from '../../stoppable.ts';
import type {Scene} from '../check.ts';

/**
 * Returns the token of the saved sign-in, renewed if that is due, with one attempt in a diagnosis: an attempt that gets
 * no answer may have used up the refresh token, so a second one could end the sign-in.
 *
 * @throws SetupError as `accessTokenNow` does
 */
export const tokenNowOnce = (context: Context, scene: Scene): Promise<TokenSet> => {
  // A request that was sent is waited for beyond the time limit: otherwise the next diagnosis would meet it.
  scene.learned.dueRenewal ??= markHandled(accessTokenNow(context, scene));
  return scene.learned.dueRenewal;
};

/**
 * Requests another token after a server refused one that looks good, as every command does: once in a diagnosis for
 * each sign-in, whichever server refuses it. All later checks use the new token.
 *
 * @param refused the token that the server refused
 * @returns undefined if there is nothing to renew, or if the refused token is already the renewed one
 * @throws SetupError as `accessTokenInstead` does
 */
export const renewedOnce = async (server: McpServer, refused: string, scene: Scene): Promise<string | undefined> => {
  const {learned, subject, ports, signal, diagnosis, tell} = scene;
  if (!subject.context) return undefined;
  if (!isRenewable((await ports.credentials.get(subject.context)) ?? {})) return undefined;
  const isOwn = server === 'observability' && learned.ownToken !== undefined;
  const context = isOwn ? contextFor(subject.context, 'observability') : subject.context;
  const key = isOwn ? server : 'control-plane';
  learned.renewals ??= new Map();
  const begin = () => markHandled(accessTokenInstead({context, refused}, {ports, signal: diagnosis, tell}));
  const renewal = learned.renewals.get(key) ?? begin();
  learned.renewals.set(key, renewal);
  const token = await Promise.race([renewal, timeOf(signal)]);
  if (token.accessToken === refused) return undefined;
  if (isOwn) learned.ownToken = token;
  else learned.token = token;
  return token.accessToken;
};

/** Rejects when the time limit of a check is reached. */
const timeOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)));
