import {createsAccount} from '../../derived/assistants-account.ts';
import {contextNameIn, isOver, signInOf, tokenOf} from '../../derived/wizard-context.ts';
import {isLogin} from '../../derived/wizard-deployment.ts';
import {holdsToken} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';
import {undoableIn} from './outcome.ts';
import type {DueSignIns} from './renew-before-write.ts';

/** Writes the reviewed files and the sign-in; first renews what has expired while the person read the review. */
export const writeChanges: StepFlow = async (reviewed, run) => {
  const due = dueTokens(reviewed, run.ports.clock.now());
  const isDue = reviewed.facts.plannedCli?.isUseUnknown || due.signIn || due.account;
  const {plan, ...learnt} = isDue
    ? await (await import('./renew-before-write.ts')).renewBeforeWrite(reviewed, due, run)
    : {plan: reviewed.facts.plan};
  if (!plan) throw new Error('Nothing is written before it is planned.');
  const state = {...reviewed, facts: {...reviewed.facts, ...learnt}};
  const {plannedCli} = state.facts;
  // A sign-in that is saved already, or that this run continues, is not written again.
  const isSaved = isLogin(state) || state.answers.resume === 'connect';
  const context = contextNameIn(state);
  const {writeFiles} = await import('../../../flows/assistants/write-files.ts');
  const {changingAccount} = await import('./change-account.ts');
  const {written, ...changed} = await changingAccount(state, run, account => {
    const {context: signedIn, ...own} = signInOf(state);
    const signIn = isSaved ? {} : {signIn: {...own, context: {...signedIn, ...account}}};
    return writeFiles({plan, context, ...signIn}, run);
  });
  const undoable = [...(state.facts.undoable ?? []), ...undoableIn(plan)];
  if (!plannedCli) return {...learnt, ...changed, written, undoable};
  const {writeOwnCli} = await import('../../../flows/own-cli/own-cli-file.ts');
  const path = await writeOwnCli({context, planned: plannedCli}, run);
  return {...learnt, ...changed, written: {paths: [...written.paths, path]}, undoable};
};

/**
 * Returns whose tokens have expired while the person read the review, if the entries hold them or the write needs them:
 * the person's grants a role to the assistants' account, and that account's own token shows when the role is in force.
 */
const dueTokens = (state: WizardState, now: number): DueSignIns => {
  const {entryTokens, account, accountAccess} = state.facts;
  const token = tokenOf(state);
  const isNeeded = (holdsToken(state) && !entryTokens) || accountAccess?.manifest !== undefined;
  return {
    signIn: isNeeded && token.renewable && isOver(token, now),
    account: createsAccount(state) ? isOver(account?.token, now) : holdsToken(state) && isOver(entryTokens, now),
  };
};
