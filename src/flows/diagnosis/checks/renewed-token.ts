import type {McpServer} from '../../../domain/mcp-servers.ts';
import {isRenewable} from '../../../domain/sign-in-lifecycle.ts';
import {contextFor} from '../../../domain/tokens.ts';
import {onAbort} from '../../../on-abort.ts';
import {accessTokenInstead} from '../../sign-in/access-token.ts';
import {markHandled} from '../../stoppable.ts';
import type {Scene} from '../check.ts';

/**
 * Another token in the place of one that a server refuses although it looks good, as every command asks for one: once in a
 * diagnosis for each sign-in, whoever refuses it. What comes is what all checks from then on go by.
 *
 * @param refused what the server was given
 * @returns undefined where there is nothing to renew, or where what was refused is a renewed one
 * @throws SetupError as `accessTokenInstead`
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

/** Rejects when the time of a check is up. */
const timeOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => onAbort(signal, () => reject(signal.reason)));
