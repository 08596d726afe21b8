import type {AssistantsAccount} from '../../../domain/context.ts';
import type {Written} from '../../../flows/assistants/write-files.ts';
import type {Run} from '../../../flows/flow.ts';
import type {ReplacedRole} from '../../../flows/platform-tools/grant-role.ts';
import {
  accountOf,
  accountState,
  createsAccount,
  givesUpAccount,
  purposeIn,
  savedAccount,
} from '../../derived/assistants-account.ts';
import {contextNameIn, formerContext, signInOf, tokenOf} from '../../derived/wizard-context.ts';
import {controlPlaneIn} from '../../derived/wizard-deployment.ts';
import type {Facts, WizardState} from '../../model.ts';
import {accountTokenNow} from '../account/check-account-access.ts';

/**
 * Writes files together with the change of the assistants' account that the person chose: its secrets and its role come
 * first, so that no assistant acts as the person meanwhile. If the files cannot be written, the role is taken back.
 *
 * @param write writes the files, and the context with this account if it saves one
 * @returns what was written, and what the account may do by then
 * @throws SetupError of the write, or if the role cannot be granted
 */
export const changingAccount = async (
  state: WizardState,
  run: Run,
  write: (account: {readonly assistantsAccount?: AssistantsAccount}) => Promise<Written>,
): Promise<{readonly written: Written} & Pick<Facts, 'accountAccess'>> => {
  const former = formerContext(state);
  if (former && givesUpAccount(state)) {
    const {giveUpAccount, sayTaken} = await import('../../../flows/sign-in/give-up-account.ts');
    const {assistants, place} = state.settings;
    // A file that lost its token here would no longer be as the person reviewed it.
    const files = state.facts.plan?.files ?? [];
    const rewritten = files.flatMap(({path, change}) => (change === 'unchanged' ? [] : [path]));
    const taken = await giveUpAccount({context: former, assistants, place, rewritten}, run);
    if (taken) run.tell({type: 'warning', message: sayTaken(taken)});
    return {written: await write({})};
  }
  const account = accountOf(state);
  if (!account) return {written: await write({})};
  if (createsAccount(state)) {
    const {storeSecrets} = await import('../../../flows/sign-in/save-sign-in.ts');
    await storeSecrets(signInOf(accountState(state)), run.ports);
  }
  const {created, granted} = await grant(state, run);
  const assistantsAccount = {...account, ...(granted ? {granted} : {})};
  let written: Written;
  try {
    if (state.answers.resume === 'connect')
      await run.ports.config.saveAssistantsAccount(contextNameIn(state), assistantsAccount);
    written = await write({assistantsAccount});
  } catch (error) {
    if (state.answers.resume === 'connect')
      await run.ports.config.saveAssistantsAccount(contextNameIn(state), savedAccount(state)).catch(() => {});
    if (created) {
      const {removeRole} = await import('../../../flows/platform-tools/grant-role.ts');
      await removeRole({...granting(state), granted: created}, run).catch(() => {});
    }
    throw error;
  }
  return {written, ...(created ? await inForce(state, run) : {})};
};

const granting = (state: WizardState) => ({...controlPlaneIn(state), token: tokenOf(state).access});

/** Grants the role that the person agreed to. */
const grant = async (state: WizardState, run: Run): Promise<Partial<ReplacedRole>> => {
  const {manifest, kubeContext} = state.facts.accountAccess ?? {};
  if (manifest === undefined) return {};
  const {replaceRole} = await import('../../../flows/platform-tools/grant-role.ts');
  return replaceRole({...granting(state), manifest, kubeContext, former: savedAccount(state)?.granted}, run);
};

/** Waits until the control plane says that the account has its role. */
const inForce = async (state: WizardState, run: Run): Promise<Pick<Facts, 'accountAccess'>> => {
  const {awaitRole} = await import('../../../flows/platform-tools/account-access.ts');
  const token = await accountTokenNow(state, run);
  const purpose = purposeIn(state) ?? 'look';
  return {accountAccess: await awaitRole({...controlPlaneIn(state), token, purpose}, run)};
};
