/** The first advice about a missing role: it may reappear by itself. */
export const AFTER_UPGRADE =
  'Just after an upgrade of the platform, wait a minute first: roles can be missing until then.';
