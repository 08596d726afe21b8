import {canOnlyLook} from '../../../domain/context.ts';
import {isSamePath} from '../../../domain/paths.ts';
import type {TokenSet} from '../../../domain/tokens.ts';
import {presetIn} from '../../../domain/tool-sets.ts';
import {type ErrorCode, SetupError} from '../../../errors/errors.ts';
import type {Run} from '../../../flows/flow.ts';
import type {CliRefreshTokenUse} from '../../../flows/own-cli/compose-cli.ts';
import type {PlannedFile} from '../../../flows/planned-file.ts';
import {contextOfAccount, createsAccount, givesUpAccount} from '../../derived/assistants-account.ts';
import {ownCliInputOf, wantsOwnCli} from '../../derived/own-cli.ts';
import {isLogin} from '../../derived/wizard-deployment.ts';
import {entriesBefore, holdsToken, planInputOf, targetsOf, toolSetsIn} from '../../derived/wizard-targets.ts';
import type {EntryTokens, WizardState} from '../../model.ts';
import type {StepFlow} from '../../step.ts';

/**
 * Plans every file to write, and writes none.
 *
 * @param use whether the platform's own CLI can share the refresh token, if that was asked for
 */
export const planChanges = async (state: WizardState, run: Run, use?: CliRefreshTokenUse) => {
  const planned = await planReadable(state, run);
  if (!wantsOwnCli(state)) return planned;
  const {planOwnCli} = await import('../../../flows/own-cli/own-cli-file.ts');
  const plannedCli = await planOwnCli({...ownCliInputOf(state), ...(use === undefined ? {} : {use})}, run);
  const {plan, ...found} = planned;
  return {plan: {...plan, files: [...plan.files, withoutWrite(plannedCli.file)]}, ...found, plannedCli};
};

/** Plans every file to write, and warns of the choices that will have no effect. Writes nothing. */
export const planAndWarn: StepFlow = async (state, run) => {
  if (presetIn(state.answers.connect?.tools) !== undefined && !toolSetsIn(state))
    run.tell({type: 'warning', message: withoutToolSets});
  const past = pastBridge(state);
  if (past.length > 0) run.tell({type: 'warning', message: notHeld(past)});
  const planned = await planChanges(state, run);
  if (state.answers.ownCli && !wantsOwnCli(state)) run.tell({type: 'warning', message: withoutOwnCli});
  return planned;
};

/** The error codes for a file that a renewal leaves alone. */
const leavesAlone: ReadonlySet<ErrorCode> = new Set(['local-file-invalid', 'local-file-read-only']);

/**
 * Plans every file that can be read. A renewal is not reviewed, and one unreadable file must not keep the others from
 * being renewed: it is left alone and reported.
 */
const planReadable = async (state: WizardState, run: Run) => {
  const entryTokens = await tokensForEntries(state, run);
  const own = entryTokens ? {entryTokens} : {};
  const unreadable: {path: string; problem: string}[] = [];
  for (;;) {
    const left = unreadable.length > 0 ? {unreadable} : {};
    try {
      const {planFiles} = await import('../../../flows/assistants/plan-files.ts');
      const plan = await planFiles(planInputOf({...state, facts: {...state.facts, ...left, ...own}}), run);
      return {plan, ...left, ...own};
    } catch (error) {
      if (!isLogin(state) || !(error instanceof SetupError) || !leavesAlone.has(error.code)) throw error;
      const {path} = error.about;
      const isOfEntry = path !== undefined && entriesBefore(state).some(one => isSamePath(one.path, path));
      if (!isOfEntry || unreadable.some(one => one.path === path)) throw error;
      unreadable.push({path, problem: error.message});
    }
  }
};

/** Returns the tokens of the assistants' own account, if this run signed it in or an entry will hold a token. */
const tokensForEntries = async (state: WizardState, run: Run): Promise<EntryTokens | undefined> => {
  const created = createsAccount(state) ? state.facts.account?.token : undefined;
  if (created) return {signIn: created.access, ...expiryOf(created)};
  // A run that signs in the account itself has its tokens already.
  const isTheirOwn = state.settings.saved?.actsAs === 'assistants';
  const theirs = isTheirOwn || givesUpAccount(state) ? undefined : contextOfAccount(state);
  if (!theirs || !holdsToken(state)) return undefined;
  const {takeTokens} = await import('../../../flows/sign-in/resume-sign-in.ts');
  const {signIn, serverTokens, ...taken} = await takeTokens(theirs, run);
  return {signIn, ...serverTokens, ...expiryOf(taken)};
};

const expiryOf = ({expiresAt}: Pick<TokenSet, 'expiresAt'>) => (expiresAt === undefined ? {} : {expiresAt});

/** The CLI's file is shown with the others, but a flow of its own writes it. */
const withoutWrite = ({write: _, ...file}: PlannedFile): PlannedFile => file;

const withoutOwnCli = 'This platform has no CLI of its own, so --cli-config has no effect.';

/** Returns the names of the assistants that may only look, but whose entries do not start the bridge. */
const pastBridge = (state: WizardState): readonly string[] =>
  targetsOf(state).targets.flatMap(({assistant, tools, method}) =>
    tools === 'look' && !canOnlyLook(method) ? [assistant.name] : [],
  );

const notHeld = (names: readonly string[]): string =>
  `Not limited to looking: ${names.join(', ')}. Only the bridge blocks tools that change something, and these entries do not start it. Nothing but the rights of the account limits them.`;

const withoutToolSets =
  'This release of the platform has no tool sets, so --tools has no effect: every tool is listed.';
