import {describe, expect, test} from 'vitest';
import {isPage, portalIn, redirectError} from '../../../src/ports/network/portal.ts';
import {worded} from '../../support/worded.ts';

const url = new URL('https://api.acme.example/mcp');
const html = 'text/html; charset=utf-8';
const page = '<!DOCTYPE html><html><head><title>Hotel Wi-Fi</title></head></html>';

const answer = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) => ({
  ...{status, body},
  header: (name: string) => headers[name],
});
const told = (status: number, body: string, type = html) => portalIn(answer(status, body, {'content-type': type}), url);

describe('a web page', () => {
  test.each([200, 403, 511])('with %i is somebody else’s', status => {
    expect(worded(told(status, page))).toMatchObject({
      code: 'network-portal',
      message: `https://api.acme.example/mcp returned a web page (${status}, “Hotel Wi-Fi”) instead of the platform’s own answer.`,
      remedy: expect.stringContaining('Open the address in a browser, without its path.'),
    });
  });

  test.each([400, 401, 404, 500, 502, 503])('with %i may come from in front of the platform', status => {
    expect(told(status, page)).toBeUndefined();
  });

  test.each([
    ['Ben &amp; Jerry&#39;s &quot;free&quot; &lt;Wi-Fi&gt;', ' (200, “Ben & Jerry\'s "free" <Wi-Fi>”)'],
    ['&amp;lt;', ' (200, “&lt;”)'],
    ['&unheard; & more', ' (200, “&unheard; & more”)'],
    ['  Sign\n in\u001B[2J ', ' (200, “Sign in [2J”)'],
    [' ', ' (200)'],
  ])('is called what a browser shows: %j', (title, shown) => {
    expect(told(200, `<html><title lang="en">${title}</title>`)?.message).toContain(
      `returned a web page${shown} instead`,
    );
  });

  test('is known by itself as well', () => {
    expect(told(200, `\n ${page}`, '')).toMatchObject({code: 'network-portal'});
    expect(told(200, '', html)).toMatchObject({code: 'network-portal'});
  });
});

describe('no web page', () => {
  const refusal = '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>';

  test.each([
    ['XML', refusal, ''],
    ['XML with its type', '<Error><Code>AccessDenied</Code></Error>', 'application/xml'],
    ['JSON', '{"error":"<html>"}', 'application/json'],
  ])('is %s', (_name, body, type) => {
    for (const status of [200, 403]) expect(told(status, body, type)).toBeUndefined();
    expect(isPage(answer(403, body, {'content-type': type}))).toBe(false);
  });

  test('is all XML but HTML', () => {
    const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><title>Stop</title></html>`;
    expect(told(403, xhtml, 'application/xml')?.message).toContain('(403, “Stop”)');
    expect(told(403, xhtml, '')).toMatchObject({code: 'network-portal'});
  });
});

describe('a redirect', () => {
  const redirected = (location: string, status = 302) =>
    portalIn(answer(status, page, {location, 'content-type': html}), url);

  test.each(['https://portal.hotel.example/in?from=x', '//portal.hotel.example/in'])(
    'to another host: %s',
    location => {
      expect(redirected(location)).toMatchObject({
        code: 'network-portal',
        message: 'https://api.acme.example/mcp redirects to https://portal.hotel.example, which was not followed.',
      });
    },
  );

  test.each([
    'https://api.acme.example/login',
    'https://api.acme.example:8443/',
    'http://api.acme.example/',
    '/login',
    'login',
    'https://',
  ])('to the same host, or nowhere, may be the platform’s: %s', location => {
    expect(redirected(location)).toBeUndefined();
  });

  test('has the status of one', () => {
    expect(redirected('https://portal.hotel.example/', 201)?.message).toContain('returned a web page');
    expect(redirected('https://portal.hotel.example/', 404)).toBeUndefined();
  });
});

describe('a redirect that is not followed', () => {
  const here = new URL('http://idp.acme.localhost:8080/token');
  const redirected = (status: number, location?: string) =>
    redirectError(answer(status, '', location === undefined ? {} : {location}), here);

  test('is no portal’s on this machine, where no network lies between', () => {
    expect(portalIn(answer(302, '', {location: 'https://portal.hotel.example/in'}), here)).toBeUndefined();
  });

  test.each([
    ['https://elsewhere.example/x?y', 'redirects to https://elsewhere.example, which was not followed.'],
    ['/moved', 'redirects to http://idp.acme.localhost:8080/moved, which was not followed.'],
    [undefined, 'redirects, but names no address.'],
    ['http://[', 'redirects, but names no address.'],
  ])('from %j %s', (location, told) => {
    expect(redirected(307, location)).toMatchObject({
      code: 'network-redirected',
      message: `http://idp.acme.localhost:8080/token ${told}`,
      about: {status: 307},
    });
  });

  test.each([200, 299, 400])('is not %i', status => {
    expect(redirected(status, '/moved')).toBeUndefined();
  });
});
