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
 * How an organisation manages an assistant; undefined where no way is known. Apart from what else is known of an assistant,
 * which every command loads.
 *
 * @param id of the assistant
 */
export const managedBy = (id: string): Managed | undefined => all[id];
