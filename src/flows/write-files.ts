import type {Assistant} from '../assistants/assistant.ts';
import type {Place} from '../assistants/place.ts';
import {SetupError} from '../errors.ts';
import type {Ports} from '../ports/ports.ts';
import type {Context} from '../ports/storage.ts';
import {composeFile, digest} from './assistant-file.ts';
import type {Flow} from './flow.ts';
import type {McpEntry} from './mcp-entries.ts';
import type {Plan} from './plan-files.ts';
import {reportingToItsEnd, type Tell} from './reporting.ts';
import {storeSignIn} from './save-sign-in.ts';
import type {TokenFacts} from './token-set.ts';

export type Written = {readonly paths: readonly string[]};

type Input = {
  readonly assistants: readonly Assistant[];
  readonly place: Place;
  readonly entries: readonly McpEntry[];
  readonly plan: Plan;
  /** What is kept beside: absent when it is kept already. */
  readonly signIn?: {readonly context: Context; readonly token: TokenFacts};
};

/**
 * Writes what was planned: credentials first, so that no entry ever names a sign-in that is not kept, then the context,
 * then the assistants. A file that is not what the plan saw is left alone.
 *
 * @throws SetupError `local-file-changed`, `local-write-failed`, `local-locked`
 */
export const writeFiles: Flow<Input, Written> = (input, ports, signal) =>
  reportingToItsEnd(async tell => {
    const accessToken = ports.vault.get('access-token');
    if (accessToken === undefined) throw new SetupError('auth-sign-in-required', 'There is no access token to write.');

    if (input.signIn) await saveContext(input.signIn, input.plan, ports, tell);
    const paths: string[] = [];
    for (const assistant of input.assistants) {
      signal.throwIfAborted();
      paths.push(await writeAssistant(assistant, input, accessToken, ports, tell));
    }
    return {paths};
  });

const saveContext = async (signIn: NonNullable<Input['signIn']>, plan: Plan, ports: Ports, tell: Tell) => {
  await storeSignIn(signIn, ports);
  for (const path of [ports.credentials.path, ports.config.path]) {
    tell({type: 'file-written', path, change: changeOf(path, plan)});
  }
};

const writeAssistant = async (assistant: Assistant, input: Input, token: string, ports: Ports, tell: Tell) => {
  const {place, entries, plan} = input;
  const file = await composeFile({assistant, place, entries, token}, ports);
  const planned = plan.files.find(({path}) => path === file.path);
  if (file.change !== 'unchanged' && planned?.before !== digest(file.before)) {
    throw new SetupError('local-file-changed', `${file.path} was changed by another program after you saw the plan.`);
  }
  if (file.change !== 'unchanged') {
    await ports.files.write(file.path, file.after, {
      mode: 0o600,
      tighten: true,
      journal: true,
      hidden: file.tokens,
      expected: file.before,
    });
  }
  tell({type: 'file-written', path: file.path, change: file.change});
  return file.path;
};

const changeOf = (path: string, {files}: Plan) => files.find(file => file.path === path)?.change ?? 'changed';
