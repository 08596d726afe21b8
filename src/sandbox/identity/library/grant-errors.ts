import type {errors, Provider} from 'oidc-provider';
import {bundled} from '../../../platform/bundled.ts';
import type {IdentityRelease} from '../../releases/identity-release.ts';

/**
 * Words the failures of the code and refresh grants as the platform does, and burns the code of a request whose PKCE
 * verifier does not match: whoever sent it may be guessing (RFC 7636 4.6, RFC 9700 4.5).
 */
export const mapGrantErrors = (provider: Provider, {usedCode}: IdentityRelease) => {
  const failures = new WeakMap<object, errors.OIDCProviderError>();
  provider.on('grant.error', (ctx, error) => failures.set(ctx.req, error));

  provider.use(async (ctx, next) => {
    await next();
    // The platform redirects with 302 where the library does with 303.
    if (ctx.status === 303 && ctx.path.startsWith(bundled.paths.authorize)) ctx.status = 302;

    const failure = failures.get(ctx.req);
    if (failure?.error !== 'invalid_grant') return;
    const {grant_type, code} = ctx.oidc.params ?? {};
    const description = describe(String(grant_type), failure.error_detail ?? '', usedCode);
    if (description) ctx.body = {error: 'invalid_grant', error_description: description};
    if (description === wrongVerifier) await (await provider.AuthorizationCode.find(String(code)))?.consume();
  });
};

const wrongVerifier = 'Invalid code verifier';

const describe = (grantType: string, detail: string, usedCode: string) => {
  if (grantType === 'refresh_token') return 'Invalid refresh token';
  if (grantType !== 'authorization_code') return undefined;
  if (detail.includes('code_verifier')) return wrongVerifier;
  if (/not found|client mismatch/.test(detail)) return 'Invalid authorization code';
  if (/already consumed|expired/.test(detail)) return usedCode;
  return undefined;
};
