import {expect} from 'vitest';
import {callsSeen} from './expect-seen.ts';
import type {Machine} from './machine.ts';
import {modelFor} from './model.ts';
import type {Ended} from './program.ts';
import type {Script} from './script.ts';

/** A tool of the control plane that takes no arguments. */
export const listing = {tool: 'list_organizations'} as const;

/** The model's text at the end of its script. */
export const CLOSING = 'That is all of it.';

/** The requests that the server sees for two calls through the bridge, when the token ends between them. */
const callsByBridge = [
  ['ended', 200],
  ['live', 200],
] as const;

/**
 * The requests that the server sees for each method when the token ends between two calls: whose token each has, and
 * the status of the answer.
 */
export const callsByMethod = [
  // The server refuses the call; the client runs the helper again and repeats the call.
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
 * Starts a model that calls the same tool twice. The access token ends in between.
 *
 * @param make starts a model with the API that the assistant uses
 * @param before turns that come first
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
 * Runs one prompt with such a model: through the bridge the assistant reaches the end of the script, and the second
 * call has the new token.
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
 * Starts a model whose conversation begins signed out: it calls `sign_in`, the person signs in elsewhere, it calls
 * `sign_in` again, and then a tool of the platform.
 *
 * @param make starts a model with the API that the assistant uses
 * @param between turns before the platform's tool, if the client offers new tools one turn later
 */
export const modelAfterSigningIn = (machine: Machine, make: typeof modelFor = modelFor, between: Script = []) => {
  const signIn = machine.signOut();
  const again = () => {
    signIn();
    return {tool: 'sign_in'};
  };
  return make([{tool: 'sign_in'}, again, ...between, listing, {text: CLOSING}]);
};

/** The results of the tools in that conversation. */
export const afterSigningIn = [
  expect.stringContaining('You are signed out of '),
  expect.stringContaining('The platform’s tools are available now.'),
  expect.stringMatching(/organizations.*default/),
];
