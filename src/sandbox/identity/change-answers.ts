import {decodeJwt} from 'jose';
import type {Provider} from 'oidc-provider';
import type {Hooks} from '../faults/hooks.ts';
import type {SigningKey} from './signing-key.ts';

/**
 * Lets faults change what the protocol library lets nobody configure: any member of the metadata (RFC 8414 2), and the
 * claims of ID tokens. An answer that no fault changes is left as the library made it.
 */
export const changeAnswers = (provider: Provider, {key, hooks}: {readonly key: SigningKey; readonly hooks: Hooks}) => {
  provider.use(async (ctx, next) => {
    await next();
    const {body} = ctx;
    if (ctx.path.startsWith('/.well-known/')) ctx.body = hooks.metadata(body);
    if (typeof body?.id_token !== 'string') return;
    const claims = decodeJwt(body.id_token);
    const changed = hooks.tokenClaims(claims, 'id');
    if (changed !== claims) ctx.body = {...body, id_token: await key.sign(changed)};
  });
};
