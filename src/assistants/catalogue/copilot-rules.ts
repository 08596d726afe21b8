import {parseJson} from '../../json.ts';
import {forEverybody, join, type Place} from '../place.ts';
import {isAbout, listedIn, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/** Returns the path of the settings that an enterprise puts on a machine for every Copilot client, as documented. */
export const copilotSettings = (place: Place): string =>
  join(place, forEverybody(place, 'github-copilot', 'GitHubCopilot'), 'managed-settings.json');

const isBlocked: Rules['blocks'] = ([settings], entry) => {
  const denied = listedIn([settings], 'deniedMcpServers') ?? [];
  if (denied.some(listed => isAbout(listed, entry))) return true;
  const allowed = listedIn([settings], 'allowedMcpServers');
  return allowed !== undefined && !allowed.some(listed => isAbout(listed, entry));
};

export const copilotRules: Rules = {language: 'JSON', files: place => [copilotSettings(place)], blocks: isBlocked};

/** The file with VS Code's policies on Linux. On macOS and Windows they are not in a file. */
export const VSCODE_POLICIES = '/etc/vscode/policy.json';

/** VS Code also has its own policies, in which a list is a string that contains JSON. */
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
