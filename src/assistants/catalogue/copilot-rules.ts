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

/** VS Code has policies of its own besides. On macOS and Windows they are in no file. */
export const vscodeRules: Rules = {
  language: 'JSON',
  files: place => [copilotSettings(place), ...(place.system === 'linux' ? ['/etc/vscode/policy.json'] : [])],
  blocks: ([settings, policy], entry) => at(policy, 'ChatMCP') === 'none' || isBlocked([settings], entry),
};
