import type {Wrap} from '../../../src/sandbox/fault-effects.ts';
import type {Ending, Fault} from '../support/fault.ts';
import type {Place} from '../support/places.ts';

type Answer = {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Answers with the request, including its secrets. */
const repeats =
  (answer: (sent: string, id: unknown) => Answer): Wrap =>
  () =>
  async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const isForm = request.headers['content-type']?.includes('urlencoded') === true;
    const sent = `${request.headers.authorization ?? ''} ${isForm ? decodeURIComponent(body) : ''}`.trim();
    const {id} = (isForm || body === '' ? {} : JSON.parse(body)) as {id?: unknown};
    const {status, type = 'application/json', headers = {}, body: said} = answer(sent, id);
    response.writeHead(status, {'Content-Type': type, ...headers}).end(said);
  };

const inText = repeats(sent => ({status: 400, type: 'text/plain', body: `What is ${sent}?`}));
const inError = repeats(sent => ({
  status: 500,
  body: JSON.stringify({error: 'internal_error', message: sent, error_description: sent}),
}));
const inChallenge = repeats(sent => ({
  status: 403,
  headers: {'WWW-Authenticate': `Bearer error="invalid_request", error_description="What is ${sent}?"`},
  body: '',
}));
const inRpc = repeats((sent, id) => ({
  status: 200,
  body: JSON.stringify({jsonrpc: '2.0', id, error: {code: -32_000, message: sent, data: {sent}}}),
}));

const faultAt = (at: Place, how: string, answers: Wrap, means: Ending, but: Fault['but'] = {}): Fault => ({
  ...{name: `${at}: the request, repeated in ${how}`, at, answers, means, but},
});

export const echoes: readonly Fault[] = [
  ...(['token', 'mcp', 'observer-mcp', 'api'] as const).flatMap(at => [
    // A refusal of a renewal without a reason means that the sign-in has probably ended.
    faultAt(at, 'plain text', inText, 'platform-rejected', at === 'token' ? {renewal: 'auth-sign-in-required'} : {}),
    faultAt(at, 'an error', inError, 'platform-error'),
  ]),
  ...(['mcp', 'observer-mcp', 'api'] as const).map(at =>
    faultAt(at, 'a challenge', inChallenge, 'auth-permission-missing'),
  ),
  {
    ...faultAt('mcp', 'an error of the protocol', inRpc, 'platform-mcp-failed', {'mcp serve': 'server-error'}),
    isHandedOn: true,
  },
];
