import {parseJson} from '../../json.ts';
import {forEverybody, join, type Place} from '../place.ts';
import {isAbout, listedIn, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/** The settings that an enterprise puts on a machine for every client of Copilot, as their documentation has it. */
export const copilotSettings = (place: Place): string =>
  join(place, forEverybody(place, 'github-copilot', 'GitHubCopilot'), 'managed-settings.json');

const isBlocked: Rules['blocks'] = ([settings], entry) => {
  const denied = listedIn([settings], 'deniedMcpServers') ?? [];
  if (denied.some(listed => isAbout(listed, entry))) return true;
  const allowed = listedIn([settings], 'allowedMcpServers');
  return allowed !== undefined && !allowed.some(listed => isAbout(listed, entry));
};

export const copilotRules: Rules = {language: 'JSON', files: place => [copilotSettings(place)], blocks: isBlocked};

/** VS Code's policies, where they are a file: on macOS and Windows they are in none. */
export const VSCODE_POLICIES = '/etc/vscode/policy.json';

/** VS Code has policies of its own besides, where a list is JSON in a text. */
export const vscodeRules: Rules = {
  language: 'JSON',
  files: place => [copilotSettings(place), ...(place.system === 'linux' ? [VSCODE_POLICIES] : [])],
  blocks: ([settings, policy], entry) => {
    if (at(policy, 'ChatMCP') === 'none') return true;
    const lists = {
      allowedMcpServers: listOf(at(policy, 'ChatAllowedMcpServers')),
      deniedMcpServers: listOf(at(policy, 'ChatDeniedMcpServers')),
    };
    return isBlocked([settings], entry) || isBlocked([lists], entry);
  },
};

const listOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    return undefined;
  }
};
