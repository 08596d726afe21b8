import {isSamePath} from '../../../domain/paths.ts';
import {secretFrom} from '../../../domain/secret.ts';
import type {Run} from '../../../flows/flow.ts';
import {setupAwaited} from '../../../flows/flow.ts';
import type {PlannedFile} from '../../../flows/planned-file.ts';
import {LOCK_TIME} from '../../../flows/time-limits.ts';
import {ownCliInputOf, wantsOwnCli} from '../../derived/own-cli.ts';
import {contextNameIn, signInOf, tokenOf} from '../../derived/wizard-context.ts';
import {isLogin} from '../../derived/wizard-deployment.ts';
import {hasTargets, holdsToken} from '../../derived/wizard-targets.ts';
import type {WizardState} from '../../model.ts';
import {learns, ok, type RunStep, type StepFlow, waiting} from '../../step.ts';
import {showFile} from '../../view/names.ts';
import {planChanges} from './plan.ts';
import {changesAgain} from './review.ts';

const run: StepFlow = async (state, run) => {
  const isDue = state.facts.plannedCli?.isUseUnknown || isTokenOver(state, run.ports.clock.now());
  const {facts, ...learnt} = isDue ? await afterRenewal(state, run) : {facts: state.facts};
  const {plan, plannedCli} = facts;
  if (!plan) throw new Error('Nothing is written before it is planned.');
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
  if (!plannedCli) return {...learnt, ...changed, written};
  const {writeOwnCli} = await import('../../../flows/own-cli/own-cli-file.ts');
  const path = await writeOwnCli({context, planned: plannedCli}, run);
  return {...learnt, ...changed, written: {paths: [...written.paths, path]}};
};

/** A token that expires sooner than this, in milliseconds, would expire before its entries are tested. */
const SOON = 5_000;

/** Whether files are to hold a token that has expired while the person read the review, and that can be renewed. */
const isTokenOver = (state: WizardState, now: number): boolean => {
  const {expiresAt, renewable} = tokenOf(state);
  return holdsToken(state) && renewable && expiresAt !== undefined && expiresAt - now < SOON;
};

/**
 * Renews the sign-in, and plans the same files again with the new tokens: to find out whether the platform's own CLI can
 * share the refresh token, or because the token has expired. The sign-in is saved first, so that nothing of the renewal
 * is lost.
 */
const afterRenewal = async (state: WizardState, run: Run) => {
  const {context, unsaved} = ownCliInputOf(state);
  if (unsaved) {
    const {saveSignIn} = await import('../../../flows/sign-in/save-sign-in.ts');
    await saveSignIn(signInOf(state), run);
  }
  const {refreshTokenUse} = await import('../../../flows/own-cli/compose-cli.ts');
  const use = state.facts.plannedCli?.isUseUnknown ? await refreshTokenUse(context, run) : undefined;
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
  const signedIn: WizardState = {...state, facts: {...state.facts, token, serverTokens, signInSaved: true}};
  // The person has seen the plan, and its warnings.
  const again = await planChanges(signedIn, {...run, tell: () => {}}, use);
  const reviewed = state.facts.plan?.files ?? [];
  /** A file is written only if it is still as it was when the person saw the plan. */
  const asReviewed = <File extends PlannedFile>(file: File): File => {
    const {before, change} = reviewed.find(({path}) => isSamePath(path, file.path)) ?? file;
    return {...file, before, ...(file.isOwn ? {change} : {})};
  };
  const plan = {...again.plan, files: again.plan.files.map(asReviewed)};
  const {plannedCli: cli} = {plannedCli: undefined, ...again};
  const plannedCli = cli && {...cli, file: asReviewed(cli.file)};
  const learnt = {token, serverTokens, signInSaved: true as const, ...(plannedCli ? {plannedCli} : {})};
  return {facts: {...signedIn.facts, ...learnt, plan}, ...learnt};
};

const outcomeOf = ({change}: {readonly change: string}): string => (change === 'unchanged' ? 'Unchanged' : 'Written');

/** Writes what was reviewed, together with the sign-in. */
export const write = {
  id: 'write',
  stage: 'review',
  kind: 'run',
  title: 'Writing',
  when: state => hasTargets(state) || wantsOwnCli(state),
  done: ({facts}) => facts.written !== undefined,
  forgets: learns('written'),
  run,
  recovery: (_, failure) => changesAgain(failure),
  eventTexts: {
    'file-written': {
      row: (file, settings) => ok(`file ${file.path}`, outcomeOf(file), showFile(file, settings)),
      line: (file, shownAs) => `${outcomeOf(file)}: ${showFile(file, shownAs)}`,
    },
    'setup-awaited': {
      row: () => waiting('setup', 'Another setup', LOCK_TIME, 'is changing assistants. Waiting…'),
      line: () => setupAwaited,
    },
  },
} satisfies RunStep;
