import type {Context, Method} from '../../domain/context.ts';
import type {Fix} from '../../domain/finding.ts';
import {SetupError} from '../../errors/errors.ts';
import type {Target} from '../assistants/assistant-entry.ts';
import {findAssistants} from '../assistants/find-assistants.ts';
import {planFiles} from '../assistants/plan-files.ts';
import {withinRules} from '../assistants/within-rules.ts';
import {writeFiles} from '../assistants/write-files.ts';
import type {Flow} from '../flow.ts';
import {planOwnCli} from '../own-cli/plan-own-cli.ts';
import {writeOwnCli} from '../own-cli/write-own-cli.ts';
import {savedEntriesOf} from '../saved-entries.ts';
import {accessTokenNow} from '../sign-in/access-token.ts';
import {takeTokens} from '../sign-in/resume-sign-in.ts';
import type {Machine, Subject} from './check.ts';

type Input = {readonly fix: Exclude<Fix, 'sign-in'>; readonly subject: Subject; readonly machine: Machine};

/**
 * Applies the fix that a check offers. `undo` can revert what is written to the files of assistants and of the
 * platform's CLI.
 *
 * @throws SetupError `local-*`, and the errors of a renewal
 */
export const applyFix: Flow<Input, void> = async (input, run) => {
  const {ports} = run;
  if (input.fix === 'reconnect') {
    await reconnect(input, run);
    return;
  }
  if (input.fix === 'own-cli') {
    await enterInOwnCli(input, run);
    return;
  }
  const {path} = ports.credentials;
  const contents = await ports.files.read(path);
  if (contents)
    await ports.files.write(path, contents.bytes, {
      mode: 0o600,
      tighten: true,
      own: true,
      secret: true,
      journal: false,
    });
};

const reconnect: Flow<Input, void> = async ({subject, machine}, run) => {
  const {context, platform} = subject;
  if (!context) return;
  const {signIn, serverTokens} = await takeTokens(context, run);
  const {assistants, place, own} = machine;
  const entries = savedEntriesOf(context, platform);
  const urls = entries.map(({url}) => url);
  const here = await findAssistants({assistants, place, commands: true, urls}, run);
  const rules = {
    assistants,
    found: here,
    entries,
    place,
    own,
    context: context.name,
    connected: here.map(({id}) => id),
  };
  const found = await withinRules(rules, run);
  const methods = new Map(found.map(one => [one.id, one.methods] as const));
  const failed: string[] = [];
  for (const target of targetsOf(context, machine, methods)) {
    const input = {
      ...{targets: [target], place, entries, every: entries, own, context: context.name},
      tokens: {signIn, ...serverTokens},
      ...{ownFiles: 'none' as const, replace: false},
      // A fix must not lead to a file being committed.
      inGit: 'ignore',
    } as const;
    try {
      const plan = await planFiles(input, run);
      await writeFiles({plan, context: context.name}, run);
    } catch (error) {
      // A file that cannot be fixed must not prevent the others from being fixed.
      if (!(error instanceof SetupError) || error.code === 'cancelled') throw error;
      failed.push(error.message);
    }
  }
  if (failed.length > 0) {
    throw new SetupError('local-file-invalid', `Not everything could be fixed. ${failed.join(' ')}`);
  }
};

const enterInOwnCli: Flow<Input, void> = async ({subject, machine}, run) => {
  const {context, platform} = subject;
  if (!context) return;
  await accessTokenNow(context, run);
  const input = {platform, context, home: machine.place.home, replace: true};
  const planned = await planOwnCli(input, run);
  await writeOwnCli({context: context.name, planned}, run);
};

/** Each entry keeps its method, unless its assistant no longer supports that. */
const targetsOf = (
  {entries = []}: Context,
  {assistants}: Machine,
  methods: ReadonlyMap<string, readonly Method[]>,
): readonly Target[] =>
  entries.flatMap(renews => {
    const {scope, method} = renews;
    const assistant = assistants.find(({id}) => id === renews.assistant);
    const possible = methods.get(renews.assistant) ?? ['bridge'];
    const kept = possible.includes(method) ? method : (possible[0] ?? 'bridge');
    const {oauthClient, tools} = renews;
    const client = kept === 'oauth' && oauthClient !== undefined ? {oauthClient} : {};
    return assistant ? [{assistant, scope, method: kept, ...client, ...(tools ? {tools} : {}), renews}] : [];
  });
