import type {Machine} from './machine.ts';
import {modelFor} from './model.ts';

/** A tool of the control plane's that takes no arguments. */
export const listing = {tool: 'list_organizations'} as const;

/** What a model says at the end of its script. */
export const CLOSING = 'That is all of it.';

/**
 * A model that has the same tool called twice, and the access token ends in between.
 *
 * @param make which API the assistant speaks with it
 */
export const modelWithTwoCalls = async (machine: Machine, make: typeof modelFor = modelFor) => {
  let ended: string | undefined;
  const later = () => {
    ended = machine.endToken();
    return listing;
  };
  const model = await make([listing, later, {text: CLOSING}]);
  return {...model, ended: () => ended};
};
