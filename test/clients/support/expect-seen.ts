import {expect} from 'vitest';
import type {Machine} from './machine.ts';
import type {Seen} from './recorder.ts';

/**
 * Checks that both servers saw the client, that each of its requests had the live token, and that each of these
 * JSON-RPC methods was answered.
 *
 * @param client the client's name in its messages
 * @param more whether the first request may be without a token, to learn what the server demands
 */
export const expectSeen = (
  machine: Machine,
  client: string,
  rpcs: readonly string[] = ['tools/list'],
  more: {readonly asksFirst?: true} = {},
) => {
  for (const [name, server] of Object.entries(machine.servers)) {
    const seen = server.seen().map(one => ({...one, authorization: whose(one, machine.token())}));
    expect(
      seen.filter(({authorization, rpc}) => authorization !== 'live' && (rpc !== undefined || !more.asksFirst)),
      `requests to the ${name} without the live token`,
    ).toEqual([]);
    expect(seen, name).toContainEqual(expect.objectContaining({client, status: 200}));
    for (const rpc of rpcs) expect(seen, name).toContainEqual(expect.objectContaining({rpc, status: 200}));
  }
};

/** Returns the tool calls that the control plane got: whose token each had, and the status of the answer. */
export const callsSeen = ({servers, token}: Machine, ended?: string): readonly (readonly [Whose, number])[] =>
  servers.controlPlane
    .seen()
    .filter(({rpc}) => rpc === 'tools/call')
    .map(one => [whose(one, token(), ended), one.status]);

type Whose = 'live' | 'ended' | 'another' | 'none';

const whose = ({authorization}: Seen, live: string, ended?: string): Whose => {
  if (authorization === undefined) return 'none';
  if (ended !== undefined && authorization === `Bearer ${ended}`) return 'ended';
  return authorization === `Bearer ${live}` ? 'live' : 'another';
};
