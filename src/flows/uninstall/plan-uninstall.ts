import type {Assistant} from '../../assistants/assistant.ts';
import {hasSecrets} from '../../domain/credentials.ts';
import {isSamePath} from '../../domain/paths.ts';
import {signInsOf} from '../../domain/tokens.ts';
import type {Ports} from '../../ports/ports.ts';
import type {JournalEntry} from '../../ports/storage.ts';
import {type Run, undoableRuns} from '../undo/undo-writes.ts';

/** What `uninstall` is about to remove. */
export type UninstallPlan = {
  readonly contexts: readonly {
    readonly name: string;
    readonly isSignedIn: boolean;
    /** The MCP client whose secret goes, which may be kept nowhere else. */
    readonly secretOf?: string;
    /** Files with entries of this program, by the assistants that read them. */
    readonly entries: readonly {readonly assistant: string; readonly path: string}[];
    /** The file of the platform's own CLI, where this program has entered the deployment. */
    readonly cli?: string;
  }[];
  /** Other programs' files that were written and that no context knows of: they become what they were before. */
  readonly files: readonly string[];
  /** Where secrets are kept: `file`, or the keychain's name. */
  readonly secretsIn: string;
  /** Paths of this program's own files and directories. */
  readonly own: readonly string[];
};

/** What runs wrote, without what a sign-out did to it. */
export const writesOf = (runs: readonly Run[]): readonly JournalEntry[] =>
  runs.flatMap(({entries}) => entries).filter(({isSignOut}) => !isSignOut);

/** Finds what there is to be removed, and changes nothing. @throws SetupError `local-*` for a config that does not read */
export const planUninstall = async (assistants: readonly Assistant[], ports: Ports): Promise<UninstallPlan> => {
  const {contexts} = await ports.config.read();
  const own = await ports.ownFiles.list();
  const runs = await undoableRuns(ports);
  const known = [
    ...own,
    ports.config.path,
    ...contexts.flatMap(({entries = [], cli}) => [...entries, ...(cli ? [cli] : [])]).map(({path}) => path),
  ];
  const nameOf = (id: string) => assistants.find(one => one.id === id)?.name ?? id;
  return {
    contexts: await Promise.all(
      contexts.map(async context => {
        // What cannot be read may be a sign-in.
        const kept = await Promise.all(
          signInsOf(context).map(one => ports.credentials.get(one).then(hasSecrets, () => true)),
        );
        const {name, entries = [], cli, signIn, clientId} = context;
        return {
          name,
          isSignedIn: kept.includes(true),
          ...(kept.includes(true) && signIn === 'mcp-client' ? {secretOf: clientId} : {}),
          entries: entries.map(({assistant, path}) => ({assistant: nameOf(assistant), path})),
          ...(cli ? {cli: cli.path} : {}),
        };
      }),
    ),
    secretsIn: await ports.credentials.where(),
    files: [...new Set(writesOf(runs).map(({path, link = path}) => link))].filter(
      path => !known.some(one => isSamePath(one, path)),
    ),
    own,
  };
};
