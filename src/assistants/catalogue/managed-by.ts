import type {Managed} from '../managed.ts';
import {claudeCodeManaged} from './claude-code-managed.ts';
import {codexManaged} from './codex-managed.ts';
import {copilotManaged} from './copilot-managed.ts';
import {vscodeManaged} from './vscode-managed.ts';

const all: Readonly<Record<string, Managed>> = {
  'claude-code': claudeCodeManaged,
  'codex-cli': codexManaged,
  'copilot-cli': copilotManaged,
  vscode: vscodeManaged,
};

/**
 * Returns how an organisation manages an assistant; undefined if no way is known. This is separate from the
 * descriptions of the assistants, since every command loads those.
 *
 * @param id of the assistant
 */
export const managedBy = (id: string): Managed | undefined => all[id];
