import type {ContextEntry} from '../../../domain/context.ts';
import type {FlowEvent} from '../../../flows/flow.ts';
import type {Ports} from '../../../ports/ports.ts';
import {signInOf} from '../../derived/context-of.ts';
import {wantsOwnCli} from '../../derived/own-cli.ts';
import {isLogin} from '../../derived/purpose.ts';
import {showPath} from '../../derived/show-path.ts';
import {hasTargets, planInputOf} from '../../derived/targets.ts';
import {learns, ok, type RunStep, type StepFlow} from '../../step.ts';
import {shortPath} from '../../stores/places.ts';
import {changesAgain} from './changes-again.ts';

const run: StepFlow = async function* (state, ports, signal) {
  const {plan, plannedCli} = state.facts;
  if (!plan) throw new Error('Nothing is written before it is planned.');
  // A sign-in that was kept already, or that went on, is not written again.
  const isKept = isLogin(state) || state.answers.resume === 'connect';
  const signIn = isKept ? {} : {signIn: signInOf(state)};
  const input = planInputOf(state);
  const {writeFiles} = await import('../../../flows/assistants/write-files.ts');
  const written = yield* writeFiles({plan, context: input.context, ...signIn}, ports, signal);
  if (input.leaving.length > 0) yield* disconnect(input, ports, signal);
  if (plannedCli) {
    const {writeOwnCli} = await import('../../../flows/own-cli/write-own-cli.ts');
    const path = yield* writeOwnCli({context: input.context, planned: plannedCli}, ports, signal);
    return {written: {paths: [...written.paths, path]}};
  }
  return {written};
};

const disconnect = async function* (
  {context: name, leaving}: ReturnType<typeof planInputOf>,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<FlowEvent, void, void> {
  const context = (await ports.config.read()).contexts.find(one => one.name === name);
  if (!context) return;
  const {disconnectAssistants} = await import('../../../flows/assistants/disconnect-assistants.ts');
  const isLeaving = ({assistant, path}: ContextEntry) =>
    leaving.some(({entry}) => entry.assistant === assistant && entry.path === path);
  const assistants = leaving.map(({assistant}) => assistant);
  yield* disconnectAssistants({context, assistants, chosen: isLeaving}, ports, signal);
};

/** Writes what was reviewed, and the sign-in with it. */
export const write = {
  id: 'write',
  stage: 'review',
  kind: 'run',
  title: 'Writing',
  when: state => hasTargets(state) || wantsOwnCli(state),
  done: ({facts}) => facts.written !== undefined,
  forgets: learns('written'),
  run,
  recover: (_, failure) => changesAgain(failure),
  tells: {
    'file-written': {
      row: ({path}, settings) => ok(`file ${path}`, 'Written', showPath(path, settings)),
      line: ({path, change}, home) =>
        `${change === 'unchanged' ? 'Left as it is' : 'Written'}: ${shortPath(path, home)}`,
    },
  },
} satisfies RunStep;
