import type {Configuration, KoaContextWithOIDC} from 'oidc-provider';
import type {Handler} from '../../http/handler.ts';
import {queryOf, type Routes} from '../../http/router.ts';
import {withoutSession} from '../authorize-endpoint.ts';
import {codePage, confirmationPage, declinedPage, donePage, startAgainPage} from '../pages/device-pages.ts';
import {type Page, pageResponse} from '../pages/page.ts';

/** Where a program asks for a code, and where a person types it in. */
export const devicePaths = {authorization: '/oauth2/device_authorization', page: '/device'};

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

/**
 * The device authorization grant (RFC 8628): for a program whose person has a browser, but elsewhere. The protocol is
 * the library's, which never says `slow_down`; the pages are like the others of the provider.
 */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  userCodeInputSource: (ctx, _form, _out, error) => {
    if (!error) return show(ctx, codePage({secret: secretOf(ctx), code: String(ctx.query.prefilled ?? '')}));
    const forgotten = forgetNewSession(ctx);
    if (error.name === 'AbortedError') return show(ctx, declinedPage);
    const problem = problems[error.name] ?? 'This page was open for too long, or was opened in another browser.';
    if (forgotten) return show(ctx, startAgainPage(problem));
    const code = 'userCode' in error ? String(error.userCode) : '';
    show(ctx, codePage({secret: secretOf(ctx), code, problem}));
  },
  userCodeConfirmSource: (ctx, _form, client, _deviceInfo, code) =>
    show(ctx, confirmationPage({secret: secretOf(ctx), code, client: client.clientName ?? client.clientId})),
  successSource: ctx => show(ctx, donePage(ctx.oidc.client?.clientName ?? 'the application')),
};

/** What the provider answers under these paths. */
export const deviceRoutes = (begin: Handler, protocol: Handler): Routes => ({
  [devicePaths.authorization]: {POST: begin},
  [devicePaths.page]: {GET: withoutSession(withoutUserCode(protocol)), POST: protocol},
  [`${devicePaths.page}/{interaction}`]: {GET: withoutSession(protocol)},
});

/** The library answers a code in the address (RFC 8628 3.3.1) with a page that runs a script: it shall not see it. */
const withoutUserCode =
  (handler: Handler): Handler =>
  (request, response) => {
    const code = queryOf(request).get('user_code');
    request.url = code ? `${devicePaths.page}?${new URLSearchParams({prefilled: code})}` : devicePaths.page;
    return handler(request, response);
  };

/**
 * Drops the session of a request that came without one; true when it did. The library puts a new secret into it, for a
 * form to try again, and then fails to save what was never saved before.
 */
const forgetNewSession = ({oidc: {session}}: KoaContextWithOIDC) => {
  if (!session || session.exp !== undefined) return false;
  Object.assign(session, {touched: false});
  return true;
};

/** What ties a form to the browser that it was shown in (RFC 6749 10.12). The library makes and checks it. */
const secretOf = (ctx: KoaContextWithOIDC) => String(ctx.oidc.session?.state?.secret ?? '');

/** The library's complaints about a code, for whoever typed it. */
const problems: Readonly<Record<string, string>> = {
  NoCodeError: 'Enter the code.',
  NotFoundError: 'This code is wrong. Compare it with the one you were shown.',
  ExpiredError: 'This code has expired. Start again where you got it.',
  AlreadyUsedError: 'This code was already used. Start again where you got it.',
};

const show = (ctx: KoaContextWithOIDC, page: Page) => {
  const {headers, text} = pageResponse(page);
  ctx.set(headers);
  ctx.body = text;
};
