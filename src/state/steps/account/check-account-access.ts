import type {Secret} from '../../../domain/secret.ts';
import type {Run} from '../../../flows/flow.ts';
import {contextOfAccount, isPurposeUnknown, purposeIn, savedAccount} from '../../derived/assistants-account.ts';
import {isOver, tokenOf} from '../../derived/wizard-context.ts';
import {contactIn, deploymentOf, platformOf} from '../../derived/wizard-deployment.ts';
import type {WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';
import {accountToken} from './account-sign-in.ts';

/** Returns the access token of the assistants' account: of this run, or of the account that they have already. */
export const accountTokenNow = async (state: WizardState, run: Run): Promise<Secret> => {
  const token = state.facts.account?.token;
  if (token) return token.access;
  const theirs = contextOfAccount(state);
  if (!theirs) throw new Error('Only an account that exists has access.');
  const {takeTokens} = await import('../../../flows/sign-in/resume-sign-in.ts');
  return (await takeTokens(theirs, run)).signIn;
};

/** Finds out what the account of the assistants may do; first renews its token if that has expired since. */
export const checkAccountAccess: StepFlow = async (before, run) => {
  // The token of an account that is not saved yet may have expired while the person waited for its role.
  const account = before.facts.account?.token;
  const isDue = account !== undefined && isOver(account, run.ports.clock.now());
  const renewed = isDue ? await accountToken.run(before, {...run, tell: () => {}}) : {};
  const state: WizardState = {...before, facts: {...before.facts, ...renewed}};
  const {version, controlPlaneUrl} = deploymentOf(state);
  const contact = contactIn(state);
  const input = {
    ...{platform: platformOf(state), controlPlaneUrl},
    ...(version === undefined ? {} : {version}),
    ...(contact === undefined ? {} : {contact}),
    token: await accountTokenNow(state, run),
    own: tokenOf(state).access,
    mightGrant: state.facts.check?.mayGrant === true,
    purpose: purposeIn(state) ?? 'look',
    isPurposeUnknown: isPurposeUnknown(state),
    role: state.answers.accountRole,
    // Only a role that this program granted can be taken back.
    isReplacing: savedAccount(state)?.granted !== undefined && savedAccount(state)?.purpose !== purposeIn(state),
    grantedIn: savedAccount(state)?.granted?.kubeContext,
  } as const;
  const {checkAccount} = await import('../../../flows/platform-tools/account-access.ts');
  return {...renewed, accountAccess: await checkAccount(input, run)};
};
