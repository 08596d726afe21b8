import {startsProgram} from '../../../domain/context.ts';
import type {McpServer} from '../../../domain/mcp-servers.ts';
import {describeCost} from '../../../domain/tool-sets.ts';
import {LIST_TIMEOUT} from '../../../flows/time-limits.ts';
import {SETUP} from '../../../setup-command.ts';
import {contextOf, entryTokensOf, ownCommandIn, serversIn, tokenOf} from '../../derived/wizard-context.ts';
import {hasTargets, targetsOf} from '../../derived/wizard-targets.ts';
import {learns, ok, type RunStep, type StepFlow, waiting} from '../../step.ts';
import {serverName, showPath} from '../../view/names.ts';
import {signedOutAssistants} from '../account/account.ts';
import {signInAgain} from '../sign-in/sign-in-recovery.ts';
import {isUndoable} from './outcome.ts';
import {changesAgain} from './review.ts';

const run: StepFlow = async (state, run) => {
  const chosen = targetsOf(state);
  const {verifyEntries} = await import('../../../flows/assistants/verify-entries.ts');
  const verified = await verifyEntries({...chosen, tokens: entryTokensOf(state), isWritten: isUndoable(state)}, run);
  const context = contextOf(state);
  // Assistants start the program without this shell's environment. If the deployment has network settings of its own, a
  // renewal shows whether the program reaches the identity provider that way.
  if (context.network && tokenOf(state).renewable && chosen.targets.some(({method}) => startsProgram(method))) {
    const {verifyRenewal} = await import('../../../flows/sign-in/resume-sign-in.ts');
    await verifyRenewal({own: ownCommandIn(state), context}, run);
  }
  const {check, accountAccess} = state.facts;
  if (!check?.withoutRole && !accountAccess?.withoutRole) return {verified};
  const {grantedSince} = await import('./granted-since.ts');
  return {verified, ...(await grantedSince(state, run))};
};

/** Reads every entry back, and calls each server in the way that its entry says. */
export const verify = {
  id: 'verify',
  stage: 'review',
  kind: 'run',
  title: 'Testing the new configuration',
  when: hasTargets,
  done: ({facts}) => facts.verified !== undefined,
  forgets: learns('verified'),
  run,
  pendingRows: state =>
    targetsOf(state).targets.flatMap(({assistant}) =>
      serversIn(state).map(server =>
        waiting(rowKey(assistant.name, server), assistant.name, LIST_TIMEOUT, serverName[server]),
      ),
    ),
  recovery: (state, failure) =>
    signedOutAssistants(state, failure) ??
    (failure.code === 'auth-sign-in-required'
      ? {
          offers: [signInAgain(state)],
          advice: `Sign in again.${isUndoable(state) ? ` The files are already written; to revert them, run ${SETUP} undo.` : ''}`,
        }
      : changesAgain(failure, state)),
  eventTexts: {
    'server-verified': {
      row: ({assistant, server, ms, ...cost}) =>
        ok(rowKey(assistant, server), assistant, `${serverName[server]}, ${describeCost(cost)}`, ms),
      line: ({assistant, server, path, ms, ...cost}, shownAs) =>
        `${serverName[server]} answers ${assistant} through ${showPath(path, shownAs)}: ${describeCost(cost)} (${ms} ms)`,
    },
  },
} satisfies RunStep;

const rowKey = (assistant: string, server: McpServer) => `verified ${assistant} ${server}`;
