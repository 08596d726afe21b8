import {addressOf} from '../../../domain/address.ts';
import type {Context} from '../../../domain/context.ts';
import type {Credentials} from '../../../domain/credentials.ts';
import {platformOfDeployment} from '../../../platform/platforms.ts';
import {readJson} from '../../answers.ts';
import type {Run} from '../../flow.ts';
import {revoke} from './revoke.ts';

/**
 * Ends the sign-in that a new one has taken the place of, as logging out and in again would (platform access 7). Only at
 * the platform's own identity provider, whose sign-ins end one by one: others end everything that the same browser
 * session has, the new sign-in included. Whatever comes of it, the new one is there.
 */
export const revokeFormer = async (context: Context, former: Credentials | undefined, run: Run): Promise<void> => {
  const {tell} = run;
  if (former?.refreshToken === undefined || !(await isPlatformsOwn(context, run))) return;
  const {outcome} = await revoke(context, former, run);
  if (outcome !== 'not-offered' && outcome !== 'nothing')
    tell({type: 'token-revoked', account: former.account ?? context.clientId, outcome});
};

/** Whether an identity provider says that it is ready in the way in which the platform's own does. */
const isPlatformsOwn = async (context: Context, {ports: {http}, signal, tell}: Run) => {
  const url = addressOf(context.authUrl, platformOfDeployment(context).paths.readiness);
  try {
    const body = readJson(await http.send({method: 'GET', url}, {signal, report: tell}), url);
    return 'service_status' in body || 'serviceStatus' in body;
  } catch {
    signal.throwIfAborted();
    return false;
  }
};
