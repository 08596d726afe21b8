import {directoryIn, forEverybody, inHome, join, type Place} from '../place.ts';
import {entriesAt, isAbout, listedIn, type RuledEntry, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/** Returns a path in the directory for an administrator's settings, which apply to everyone. */
export const managedPath = (place: Place, ...names: readonly string[]): string =>
  join(place, forEverybody(place, 'claude-code', 'ClaudeCode'), ...names);

/**
 * Seen with 2.1.329. If `managed-mcp.json` exists, every other server is blocked. Otherwise a server is blocked if any
 * list denies it, or if there are lists of allowed servers and none allows it. The person's own list of allowed servers
 * is used as well as the organisation's, unless the organisation forbids that (`allowManagedMcpServersOnly`). If a list
 * contains addresses, servers with an address are judged by these alone; the same applies to commands.
 */
export const claudeCodeRules: Rules = {
  language: 'JSON',
  files: place => {
    const moved = directoryIn(place, 'CLAUDE_CONFIG_DIR');
    return [
      managedPath(place, 'managed-mcp.json'),
      moved ? join(place, moved, 'settings.json') : inHome(place, '.claude', 'settings.json'),
      managedPath(place, 'managed-settings.json'),
    ];
  },
  directory: place => managedPath(place, 'managed-settings.d'),
  gives: ([servers]) => entriesAt(servers, 'mcpServers'),
  blocks: ([servers, own, ...settings], entry) => {
    if (servers !== undefined) return true;
    const all = [...settings, own];
    if (listedIn(all, 'deniedMcpServers')?.some(listed => isAbout(listed, entry))) return true;
    const isTheirsAlone = settings.some(one => at(one, 'allowManagedMcpServersOnly') === true);
    const allowed = listedIn(isTheirsAlone ? settings : all, 'allowedMcpServers');
    return allowed !== undefined && !isAllowed(allowed, entry);
  },
};

const isAllowed = (allowed: readonly unknown[], entry: RuledEntry): boolean => {
  const key = entry.connection.kind === 'command' ? 'serverCommand' : 'serverUrl';
  const judging = allowed.filter(listed => at(listed, key) !== undefined);
  return (judging.length > 0 ? judging : allowed).some(listed => isAbout(listed, entry));
};
