const kinds = ['namespace', 'project', 'component', 'deployment', 'environment', 'dataplane'] as const;

const actionsOf = (verbs: readonly string[]) => kinds.flatMap(kind => verbs.map(verb => `${kind}:${verb}`));

const signals = ['logs:view', 'metrics:view', 'traces:view', 'alerts:view'];

/** What each role allows, by the names that the platform gives to actions. */
export const roles: Readonly<Record<string, readonly string[]>> = {
  admin: [...actionsOf(['view', 'create', 'update', 'delete']), ...signals],
  developer: [
    ...actionsOf(['view']),
    'component:create',
    'component:update',
    'deployment:create',
    'deployment:update',
    ...signals,
  ],
  viewer: actionsOf(['view']),
};
