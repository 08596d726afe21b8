import {expect} from 'vitest';
import {callsSeen} from './expect-seen.ts';
import type {Machine} from './machine.ts';
import {modelFor} from './model.ts';
import type {Ended} from './program.ts';
import type {Script} from './script.ts';

/** A tool of the control plane's that takes no arguments. */
export const listing = {tool: 'list_organizations'} as const;

/** What a model says at the end of its script. */
export const CLOSING = 'That is all of it.';

/** What the server sees of two calls by the bridge when the token ends between them. */
const callsByBridge = [
  ['ended', 200],
  ['live', 200],
] as const;

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
  ['bridge', callsByBridge],
] as const;

/**
 * A model that has the same tool called twice, and the access token ends in between.
 *
 * @param make which API the assistant speaks with it
 * @param before what it does first
 */
export const modelWithTwoCalls = async (machine: Machine, make: typeof modelFor = modelFor, before: Script = []) => {
  let ended: string | undefined;
  const later = () => {
    ended = machine.endToken();
    return listing;
  };
  const model = await make([...before, listing, later, {text: CLOSING}]);
  return {...model, ended: () => ended};
};

/**
 * One prompt with such a model: the assistant comes to the end of the script by the bridge, and the second call has the
 * token that is live then.
 *
 * @param talk starts the assistant with the model at this origin
 */
export const expectGoesOn = async (
  machine: Machine,
  talk: (url: string) => Promise<Ended>,
  ...model: readonly [make?: typeof modelFor, before?: Script]
) => {
  const {url, ended, results} = await modelWithTwoCalls(machine, ...model);
  const {code, stdout, stderr} = await talk(url);
  expect({code, stdout, stderr}).toMatchObject({code: 0, stdout: expect.stringContaining(CLOSING)});
  expect(callsSeen(machine, ended())).toEqual(callsByBridge);
  expect(results().slice(-2)).toEqual([expect.stringContaining('"default'), expect.stringContaining('"default')]);
};

/**
 * A model in whose conversation nobody is signed in at first: it calls `sign_in`, the person signs in elsewhere, it calls
 * that once more, and then a tool of the platform's.
 *
 * @param make which API the assistant speaks with it
 * @param between what it does before that, where its client gives it the new tools a turn later
 */
export const modelAfterSigningIn = (machine: Machine, make: typeof modelFor = modelFor, between: Script = []) => {
  const signIn = machine.signOut();
  const again = () => {
    signIn();
    return {tool: 'sign_in'};
  };
  return make([{tool: 'sign_in'}, again, ...between, listing, {text: CLOSING}]);
};

/** What it gets to see then. */
export const afterSigningIn = [
  expect.stringContaining('You are signed out of '),
  expect.stringContaining('The platform’s tools are available now.'),
  expect.stringMatching(/organizations.*default/),
];
