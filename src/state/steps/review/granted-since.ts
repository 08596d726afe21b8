import type {Run} from '../../../flows/flow.ts';
import {purposeIn} from '../../derived/assistants-account.ts';
import {tokenOf} from '../../derived/wizard-context.ts';
import {controlPlaneIn} from '../../derived/wizard-deployment.ts';
import type {Facts, WizardState} from '../../model.ts';
import {accountTokenNow} from '../account/check-account-access.ts';

/**
 * Looks once more at the roles that were missing before the files were written, because somebody may have granted one
 * since.
 *
 * @returns the facts about an account that has its role by now
 * @throws SetupError as `takeTokens` does; the signal's reason
 */
export const grantedSince = async (state: WizardState, run: Run): Promise<Pick<Facts, 'check' | 'accountAccess'>> => {
  const {rightsNow} = await import('../../../flows/platform-tools/account-access.ts');
  const {check, accountAccess} = state.facts;
  const controlPlane = controlPlaneIn(state);
  const found: {check?: NonNullable<Facts['check']>; accountAccess?: NonNullable<Facts['accountAccess']>} = {};
  if (check?.withoutRole) {
    const rights = await rightsNow({...controlPlane, token: tokenOf(state).access}, run);
    const {withoutRole: _, ...rest} = check;
    if (rights && !rights.withoutRole) found.check = {...rest, ...rights};
  }
  if (accountAccess?.withoutRole) {
    const token = await accountTokenNow(state, run);
    const rights = await rightsNow({...controlPlane, token, purpose: purposeIn(state) ?? 'look'}, run);
    if (rights && !rights.withoutRole) found.accountAccess = rights;
  }
  return found;
};
