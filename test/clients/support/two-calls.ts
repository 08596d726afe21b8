import type {Machine} from './machine.ts';
import {modelFor} from './model.ts';

/** A tool of the control plane's that takes no arguments. */
export const listing = {tool: 'list_organizations'} as const;

/** What a model says at the end of its script. */
export const CLOSING = 'That is all of it.';

/** By method: what the server sees, with which token and how it answers, when the token ends between two calls. */
export const callsByMethod = [
  // It is refused, asks the helper again, and makes the call once more.
  [
    'helper',
    [
      ['ended', 200],
      ['ended', 401],
      ['live', 200],
    ],
  ],
  [
    'bridge',
    [
      ['ended', 200],
      ['live', 200],
    ],
  ],
] as const;

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
