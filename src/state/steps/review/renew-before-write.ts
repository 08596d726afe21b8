import {isSamePath} from '../../../domain/paths.ts';
import {secretFrom} from '../../../domain/secret.ts';
import type {Run} from '../../../flows/flow.ts';
import type {PlannedFile} from '../../../flows/planned-file.ts';
import {createsAccount} from '../../derived/assistants-account.ts';
import {ownCliInputOf} from '../../derived/own-cli.ts';
import {signInOf, tokenOf} from '../../derived/wizard-context.ts';
import type {WizardState} from '../../model.ts';
import {showPath} from '../../view/names.ts';
import {accountToken} from '../account/account-sign-in.ts';
import {planChanges} from './plan-changes.ts';

/** The sign-ins to renew before files are written: the person's, and that of the assistants' account. */
export type DueSignIns = {readonly signIn: boolean; readonly account: boolean};

/**
 * Renews the sign-ins, and plans the same files again with the new tokens: to find out whether the platform's own CLI
 * can share the refresh token, or because a token has expired. The person's sign-in is saved first, so that nothing of
 * the renewal is lost.
 *
 * @returns the new plan, and the facts that replace those of the review
 * @throws SetupError of a renewal, a sign-in or a plan; nothing has been written then except the sign-in
 */
export const renewBeforeWrite = async (state: WizardState, due: DueSignIns, run: Run) => {
  const isUseUnknown = state.facts.plannedCli?.isUseUnknown === true;
  const {use, ...renewed} = due.signIn || isUseUnknown ? await renew(state, isUseUnknown, run) : {use: undefined};
  // The person has seen the receipt of the sign-in, the plan, and its warnings.
  const quiet = {...run, tell: () => {}};
  const account = due.account && createsAccount(state) ? await accountToken.run(state, quiet) : {};
  const signedIn: WizardState = {...state, facts: {...state.facts, ...renewed, ...account}};
  const again = await planChanges(signedIn, quiet, use);
  const reviewed = state.facts.plan?.files ?? [];
  /** A file is written only if it is still as it was when the person saw the plan. */
  const asReviewed = <File extends PlannedFile>(file: File): File => {
    const {before, change} = reviewed.find(({path}) => isSamePath(path, file.path)) ?? file;
    return {...file, before, ...(file.isOwn ? {change} : {})};
  };
  const plan = {...again.plan, files: again.plan.files.map(asReviewed)};
  const changed = plan.files.flatMap(({path, change}) => {
    const wasUnchanged = reviewed.some(one => isSamePath(one.path, path) && one.change === 'unchanged');
    return wasUnchanged && change !== 'unchanged' ? [showPath(path, state.settings)] : [];
  });
  if (changed.length > 0) run.tell({type: 'warning', message: renewedSince(changed)});
  const {plannedCli: cli, entryTokens} = {plannedCli: undefined, ...again};
  const plannedCli = cli && {...cli, file: asReviewed(cli.file)};
  return {
    ...{plan, ...renewed, ...account},
    ...(entryTokens ? {entryTokens} : {}),
    ...(plannedCli ? {plannedCli} : {}),
  };
};

const renewedSince = (paths: readonly string[]): string =>
  `The token expired during the review, so a new one was written to ${paths.join(' and ')}.`;

/** Renews the person's sign-in, and finds out whether the platform's own CLI can share its refresh token if asked to. */
const renew = async (state: WizardState, isUseUnknown: boolean, run: Run) => {
  const {context, unsaved} = ownCliInputOf(state);
  if (unsaved) {
    const {saveSignIn} = await import('../../../flows/sign-in/save-sign-in.ts');
    await saveSignIn(signInOf(state), run);
  }
  const {refreshTokenUse} = await import('../../../flows/own-cli/compose-cli.ts');
  const use = isUseUnknown ? await refreshTokenUse(context, run) : undefined;
  const {takeTokens} = await import('../../../flows/sign-in/resume-sign-in.ts');
  const {serverTokens} = await takeTokens(context, run);
  const {accessToken, refreshToken, expiresAt} = (await run.ports.credentials.get(context)) ?? {};
  const [access, refresh] = [secretFrom(accessToken), secretFrom(refreshToken)];
  const token = {
    ...tokenOf(state),
    ...(access ? {access} : {}),
    ...(refresh ? {refresh} : {}),
    ...(expiresAt === undefined ? {} : {expiresAt}),
  };
  return {use, token, serverTokens, signInSaved: true as const};
};
