import type {Plan} from '../../flows/assistants/plan-files.ts';

/**
 * Returns the files that a plan changes and that `undo` can restore. A change in this program's own record of a known
 * deployment is not one of them: it is undone together with the run before.
 */
export const undoableIn = (plan: Plan | undefined): readonly string[] =>
  (plan?.files ?? []).flatMap(({path, change, isOwn}) =>
    change === 'unchanged' || (isOwn && change === 'changed') ? [] : [path],
  );
