import {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import type {AccessSource, ServerAccess} from '../../src/bridge/access.ts';
import {createTokenChannel} from '../../src/bridge/token-channel.ts';
import {type ErrorCode, SetupError} from '../../src/errors/errors.ts';
import {type ChannelRequest, MovedError} from '../../src/mcp/channel.ts';
import type {Clock, StreamReply, StreamRequest, Streams} from '../../src/ports/ports.ts';
import {noSignal} from '../support/flows.ts';

const url = new URL('https://api.acme.example/mcp');
const request: ChannelRequest = {
  method: 'POST',
  headers: {accept: 'text/event-stream'},
  body: Buffer.from('{}'),
  repeatable: false,
};

/** An access without the function that opens the network. */
type Kept = Omit<ServerAccess, 'open'>;

/**
 * Creates a channel to a server that gives these answers, one after the other: a status, or an error of the network.
 */
const channelTo = (answers: readonly (number | Error)[], current: () => Kept | Promise<Kept> = () => known) => {
  const sent: StreamRequest[] = [];
  const read: number[] = [];
  const refused: string[] = [];
  const taken: string[] = [];
  const streams: Pick<Streams, 'open'> = {
    open: async one => {
      const answer = answers[sent.length];
      sent.push(one);
      if (typeof answer !== 'number') throw answer ?? new Error('It was asked too often.');
      const body = Readable.from([Buffer.from('refused')]).on('end', () => read.push(answer));
      const header = (name: string) => (name === 'www-authenticate' ? 'Bearer error_description="Too old"' : undefined);
      return {status: answer, header, body, endWithin: () => {}} as unknown as StreamReply;
    },
  };
  const withOpen = (one: Kept): ServerAccess => ({...one, open: streams.open});
  const access: AccessSource = {
    current: () => {
      const now = current();
      return now instanceof Promise ? now.then(withOpen) : withOpen(now);
    },
    instead: async ({token}) => {
      refused.push(token);
      return withOpen({url, token: 'renewed'});
    },
    noticed: () => {},
    taken: ({token}) => void taken.push(token),
  };
  const pauses: number[] = [];
  let time = 0;
  const clock: Clock = {
    now: () => time,
    monotonic: () => time,
    sleep: async ms => {
      pauses.push(ms);
      time += ms;
    },
  };
  const channel = createTokenChannel(access, clock);
  const call = (more: Partial<ChannelRequest> = {}) => channel.call({...request, ...more}, noSignal);
  return {call, sent, read, refused, taken, pauses, tokens: () => sent.map(({headers}) => headers?.authorization)};
};

const known: Kept = {url, token: 'kept'};
const failure = (code: ErrorCode) => new SetupError(code, 'No.');

describe('a request', () => {
  test.each<[string, () => Kept | Promise<Kept>]>([
    ['at once', () => known],
    ['later', async () => known],
  ])('carries the token that is there %s, and its own headers', async (_, current) => {
    const {call, sent, taken, refused} = channelTo([200], current);
    expect(await call()).toMatchObject({status: 200, url});
    const headers = {accept: 'text/event-stream', authorization: 'Bearer kept'};
    expect(sent).toEqual([{method: 'POST', body: request.body, url, headers}]);
    expect([taken, refused]).toEqual([['kept'], []]);
  });

  test('for this address is sent, and for another one is not', async () => {
    const {call, sent} = channelTo([200]);
    expect(await call({from: new URL(url)})).toMatchObject({status: 200});
    await expect(call({from: new URL('https://api.old.example/mcp')})).rejects.toBeInstanceOf(MovedError);
    expect(sent).toHaveLength(1);
  });
});

describe('a token that is refused', () => {
  test('is renewed once, and the answer to it is read, so that its connection can be used again', async () => {
    const {call, tokens, read, taken, refused} = channelTo([401, 200]);
    expect(await call()).toMatchObject({status: 200});
    expect(tokens()).toEqual(['Bearer kept', 'Bearer renewed']);
    expect([read, refused, taken]).toEqual([[401], ['kept'], ['renewed']]);
  });

  test('also when it is renewed is an error that names the server', async () => {
    const {call, tokens, taken} = channelTo([401, 401]);
    await expect(call()).rejects.toMatchObject({
      code: 'auth-token-refused',
      about: {url: url.href},
      message: expect.stringContaining('(401). The server says: Too old.'),
    });
    expect(tokens()).toHaveLength(2);
    expect(taken).toEqual([]);
  });
});

describe('a connection that breaks', () => {
  test.each(['network-reset', 'network-lost'] as const)('(%s) is made again where that is harmless', async code => {
    const {call, tokens} = channelTo([failure(code), 200]);
    expect(await call({repeatable: true})).toMatchObject({status: 200});
    expect(tokens()).toEqual(['Bearer kept', 'Bearer kept']);
  });

  test('again is not made a third time', async () => {
    const {call, sent} = channelTo([failure('network-reset'), failure('network-lost'), 200]);
    await expect(call({repeatable: true})).rejects.toMatchObject({code: 'network-lost'});
    expect(sent).toHaveLength(2);
  });

  test.each<[string, Error, boolean]>([
    ['under a request that may have been dealt with', failure('network-reset'), false],
    ['for another reason', failure('network-timeout'), true],
    ['by a fault of ours', new TypeError('network-reset'), true],
  ])('%s is not made again', async (_, error, repeatable) => {
    const {call, sent} = channelTo([error, 200]);
    await expect(call({repeatable})).rejects.toBe(error);
    expect(sent).toHaveLength(1);
  });
});

describe('a request that was never sent', () => {
  const unsent = (code: ErrorCode) => failure(code).with({isUnsent: true});

  test.each(['network-refused', 'network-reset', 'network-failed', 'network-name-not-found'] as const)(
    '(%s) is sent again, whatever it does',
    async code => {
      const {call, sent} = channelTo([unsent(code), unsent(code), unsent(code), 200]);
      expect(await call({repeatable: false})).toMatchObject({status: 200});
      expect(sent).toHaveLength(4);
    },
  );

  test('is given up after two seconds', async () => {
    const {call, pauses} = channelTo(Array.from({length: 50}, () => unsent('network-refused')));
    await expect(call()).rejects.toMatchObject({code: 'network-refused', about: {isUnsent: true}});
    const total = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(total).toBeGreaterThan(1_700);
    expect(total).toBeLessThanOrEqual(2_000);
  });

  test.each(['network-tls', 'network-proxy-denied', 'network-timeout'] as const)(
    'for a reason that stays (%s) is not sent again',
    async code => {
      const {call, sent} = channelTo([unsent(code), 200]);
      await expect(call()).rejects.toMatchObject({code});
      expect(sent).toHaveLength(1);
    },
  );

  test('for want of a token is said not to be sent, and is not tried again', async () => {
    const {call, sent} = channelTo([200], async () => Promise.reject(failure('network-timeout')));
    await expect(call()).rejects.toMatchObject({code: 'network-timeout', about: {isUnsent: true}});
    expect(sent).toEqual([]);
  });
});
