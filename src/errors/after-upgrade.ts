/** What to do before anything else about a role that is missing: it may be back by itself. */
export const AFTER_UPGRADE =
  'Just after an upgrade of the platform, wait a minute first: roles can be missing until then.';
