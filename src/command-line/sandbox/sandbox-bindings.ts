import type {Sandbox, SandboxReady} from '../../sandbox/sandbox.ts';

type Binding = Parameters<Sandbox['bind']>[0];

/** The syntax for giving a role at the keyboard of a sandbox, for its help. */
export const bindUsage = 'bind CLAIM VALUE [role ROLE] [namespace NAME] [project NAME]';

/** The further parts of a binding, in pairs. */
const optional = ['role', 'namespace', 'project'] as const;

/**
 * Parses a line that gives a role, such as `bind sub mcp_client project shop`. Returns a text with the correct syntax
 * if the line has another, and undefined if the line is about something else.
 */
export const bindingIn = (line: string): Binding | string | undefined => {
  const [verb, claim, value, ...rest] = line.trim().split(/\s+/);
  if (verb !== 'bind') return undefined;
  const pairs = new Map<string, string>();
  for (let at = 0; at < rest.length; at += 2) pairs.set(rest[at] ?? '', rest[at + 1] ?? '');
  const isUnderstood = [...pairs].every(([name, one]) => optional.some(known => known === name) && one !== '');
  if (claim === undefined || value === undefined || !isUnderstood) return `Type ${bindUsage}.`;
  return {claim, value, ...Object.fromEntries(pairs)};
};

/** Describes a role that was given, in one line. */
export const describeBinding = (
  {claim, value, role, namespace, project}: Binding,
  {authorization, clients, release}: Pick<SandboxReady, 'authorization' | 'clients' | 'release'>,
): string => {
  const place = [...(namespace ? [`namespace ${namespace}`] : []), ...(project ? [`project ${project}`] : [])];
  const where = place.length > 0 ? `in ${place.join(', ')}` : 'everywhere';
  const bound = `Bound: an account whose ${claim} is ${value} has ${role === undefined ? 'the role that allows everything' : `the role ${role}`} ${where}.`;
  if (!authorization) return `${bound} Release ${release} ignores roles.`;
  const client = claim === 'sub' ? clients.find(({clientId}) => clientId === value) : undefined;
  if (client && client.subject !== value) return `${bound} But the sub of that client is ${client.subject}.`;
  return bound;
};
