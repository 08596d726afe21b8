/** The roles that a release comes with. */
export type Roles = {
  /** The role that may do everything. */
  readonly administrator: string;
  /** Every action that the release knows, which `*` stands for. */
  readonly actions: readonly string[];
  /** What each role allows, by the names that the platform gives to actions. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
};

/** Actions, written with a kind of object to the line: `component: view create`. */
export const actionsIn = (text: string): readonly string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '')
    .flatMap(line => {
      const [kind = '', verbs = ''] = line.split(': ');
      return verbs.split(' ').map(verb => `${kind}:${verb}`);
    });

/** The actions that a role allows, each by its own name: `*` is all, `component:*` all of components. */
export const allowedBy = ({actions, roles}: Roles, role: string): readonly string[] =>
  (roles[role] ?? []).flatMap(allowed => {
    if (allowed === '*') return actions;
    return allowed.endsWith(':*') ? actions.filter(one => one.startsWith(allowed.slice(0, -1))) : [allowed];
  });
