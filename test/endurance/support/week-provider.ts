import {serve} from '../../support/server.ts';

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];

/** The rules of an identity provider for refresh tokens and for the end of a sign-in. */
export type ProviderKind = {
  readonly name: string;
  readonly refreshTokens: 'reusable' | 'single-use' | 'none';
  /** The duration of a sign-in, in milliseconds. With `slides`, from its last renewal. */
  readonly lasts?: number;
  readonly slides?: true;
  /** True if refresh tokens are JWTs with an expiry. */
  readonly says?: true;
  readonly tokenLife: number;
  /** True if a client with a secret signs in by itself, without a person. */
  readonly client?: true;
};

export const kinds: readonly ProviderKind[] = [
  {name: 'reusable refresh tokens', refreshTokens: 'reusable', lasts: DAY, says: true, tokenLife: HOUR},
  {name: 'refresh tokens for a single use', refreshTokens: 'single-use', lasts: DAY, says: true, tokenLife: HOUR},
  {name: 'thirty days, sliding', refreshTokens: 'single-use', lasts: 30 * DAY, slides: true, tokenLife: HOUR},
  {name: 'no refresh token', refreshTokens: 'none', tokenLife: 8 * HOUR},
  {name: 'a service account', refreshTokens: 'none', tokenLife: HOUR, client: true},
];

type SignIn = {endsAt: number; refreshToken: string | undefined; isEnded: boolean};

/**
 * A provider on a clock that the test moves. Access tokens contain nothing; the provider knows which of them are
 * valid.
 */
export const weekProvider = async (kind: ProviderKind, now: () => number) => {
  const signIns: SignIn[] = [];
  const tokens = new Map<string, {readonly endsAt: number; readonly keys: number}>();
  let count = 0;
  let keys = 0;
  let isDown = false;
  /** Whether the client goes away before its request is carried out. */
  let isCut = () => false;
  let replays = 0;
  let requests = 0;

  const token = () => {
    count += 1;
    const name = `access-${count}`;
    tokens.set(name, {endsAt: now() + kind.tokenLife, keys});
    return name;
  };
  const newRefreshToken = (endsAt: number) => {
    count += 1;
    const exp = Math.floor(endsAt / SECOND);
    return kind.says ? `x.${Buffer.from(JSON.stringify({exp, count})).toString('base64url')}.x` : `refresh-${count}`;
  };

  /** Begins a sign-in of a person. */
  const signIn = () => {
    const endsAt = kind.lasts === undefined ? now() + kind.tokenLife : now() + kind.lasts;
    const refreshToken = kind.refreshTokens === 'none' ? undefined : newRefreshToken(endsAt);
    signIns.push({endsAt, refreshToken, isEnded: false});
    return {accessToken: token(), refreshToken, expiresAt: now() + kind.tokenLife};
  };

  const renew = (sent: string | null) => {
    const found = signIns.find(one => one.refreshToken === sent && !one.isEnded && one.endsAt > now());
    if (!found) {
      // A token that was issued and is no longer the newest was sent twice.
      const [isKnown] = signIns.filter(one => !one.isEnded && one.endsAt > now() && given.get(sent ?? '') === one);
      if (isKnown) {
        isKnown.isEnded = true;
        replays += 1;
      }
      return undefined;
    }
    if (kind.slides) found.endsAt = now() + (kind.lasts ?? 0);
    if (kind.refreshTokens === 'single-use') {
      given.set(sent ?? '', found);
      found.refreshToken = newRefreshToken(found.endsAt);
    }
    return {access_token: token(), refresh_token: found.refreshToken};
  };
  const given = new Map<string, SignIn>();

  const issuer: string = await serve(async (request, response) => {
    requests += 1;
    const json = (status: number, body: object) =>
      void response.writeHead(status, {'Content-Type': 'application/json'}).end(JSON.stringify(body));
    if (isDown) return void response.writeHead(503).end();
    if (request.url?.startsWith('/.well-known')) return json(200, {issuer, token_endpoint: `${issuer}/token`});
    let body = '';
    for await (const chunk of request) body += chunk;
    if (isCut()) return void request.socket.destroy();
    const form = new URLSearchParams(body);
    const rest = {token_type: 'Bearer', expires_in: kind.tokenLife / SECOND};
    if (form.get('grant_type') === 'client_credentials') return json(200, {access_token: token(), ...rest});
    const renewed = renew(form.get('refresh_token'));
    return renewed ? json(200, {...renewed, ...rest}) : json(400, {error: 'invalid_grant'});
  });

  return {
    issuer,
    signIn,
    /** Whether the servers accept a token now. */
    takes: (name: string) => {
      const found = tokens.get(name);
      return found !== undefined && found.endsAt > now() && found.keys === keys;
    },
    renewKeys: () => {
      keys += 1;
    },
    setDown: (down: boolean) => {
      isDown = down;
    },
    cutNext: () => {
      let left = 1;
      isCut = () => left-- > 0;
    },
    replays: () => replays,
    requests: () => requests,
    lastSignIn: () => signIns.at(-1),
  };
};
