import {directoryIn, inHome, join} from '../place.ts';
import {at, atFolder, type Trust, textsIn} from '../trust.ts';

/**
 * Seen with 2.1.329: a project's servers wait until the person trusts the folder, and each must be approved in one of
 * four files. The person's own settings may approve all servers everywhere, even in untrusted folders, but a helper
 * still does not run there. Trust in a parent folder has no effect.
 */
export const claudeCodeTrust: Trust = {
  language: 'JSON',
  forgets: 'claude mcp reset-project-choices',
  files: ({place, folder}) => {
    const moved = directoryIn(place, 'CLAUDE_CONFIG_DIR');
    return [
      join(place, moved ?? place.home, '.claude.json'),
      moved ? join(place, moved, 'settings.json') : inHome(place, '.claude', 'settings.json'),
      join(place, folder, '.claude', 'settings.json'),
      join(place, folder, '.claude', 'settings.local.json'),
    ];
  },
  standing: ([state, ...settings], {folder, names, method}) => {
    const project = atFolder(at(state, 'projects'), folder);
    const said = [project, ...settings];
    const listed = (key: string) => said.flatMap(one => textsIn(at(one, key)));
    const hasAll = (one: unknown) => at(one, 'enableAllProjectMcpServers') === true;
    if (names.some(name => listed('disabledMcpjsonServers').includes(name))) return 'refused';
    const isTrusted = at(project, 'hasTrustDialogAccepted') === true;
    if (!isTrusted && (!hasAll(settings[0]) || method === 'helper')) return 'untrusted';
    const approved = listed('enabledMcpjsonServers');
    return said.some(hasAll) || names.every(name => approved.includes(name)) ? 'trusted' : 'unapproved';
  },
};
