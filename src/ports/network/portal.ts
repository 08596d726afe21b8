import type {SetupError} from '../../errors/errors.ts';
import {cleanText} from '../../text.ts';
import type {StreamReply} from '../ports.ts';
import {failureAt} from './curl.ts';
import {isLoopback} from './route.ts';

type Answered = Pick<StreamReply, 'status' | 'header'> & {
  /** The body, as far as it was read. */
  readonly body?: string;
};

/** Returns the target of a redirect; undefined if it is not an address, and for any other answer. */
export const redirectTarget = ({status, header}: Answered, url: URL): URL | undefined => {
  const location = header('location');
  if (status < 300 || status > 399 || location === undefined) return undefined;
  return URL.parse(location, url.href) ?? undefined;
};

/** Whether an answer is a page for people. Other XML is for programs: some gateways refuse with it. */
export const isPage = ({header, body = ''}: Pick<Answered, 'header' | 'body'>): boolean => {
  const type = (header('content-type') ?? '').toLowerCase();
  if (type.includes('html')) return true;
  const text = body.trimStart();
  const isXml = /[/+]xml\b/.test(type) || text.startsWith('<?xml');
  return isXml ? /<html[\s>]/i.test(text) : text.startsWith('<');
};

const entities: Readonly<Record<string, string>> = {
  ...{amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' '},
  ...{'#39': "'", '#039': "'", '#x27': "'"},
};

/** The most that is read of a page's title, in characters. */
const LONGEST_TITLE = 2_000;

/** Returns the title of a page, as a browser shows it. */
const titleOf = (page: string): string => {
  const start = page.search(/<title/i);
  const from = start < 0 ? -1 : page.indexOf('>', start);
  const [title = ''] = from < 0 ? [] : page.slice(from + 1, from + 1 + LONGEST_TITLE).split('<', 1);
  return cleanText(title.replaceAll(/&([#\w]+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole));
};

/**
 * Detects an answer that does not come from the platform: a page for people, the sign-in of a network (RFC 6585 6), or
 * a redirect to another machine. Undefined if it may be the platform's. That holds for every redirect by this machine,
 * because no network lies in between.
 */
export const portalIn = (answer: Answered, url: URL): SetupError | undefined => {
  const {status, body = ''} = answer;
  const target = redirectTarget(answer, url);
  if (target) {
    if (target.hostname === url.hostname || isLoopback(url.hostname)) return undefined;
    return failureAt(url, 'network-portal', `redirects to ${target.origin}, which was not followed.`);
  }
  const isSaidByPages = (status >= 200 && status < 300) || status === 403 || status === 511;
  if (!isSaidByPages || !isPage(answer)) return undefined;
  const title = titleOf(body);
  const page = title === '' ? `a web page (${status})` : `a web page (${status}, “${title}”)`;
  const what = `returned ${page} instead of the platform’s own answer.`;
  return failureAt(url, 'network-portal', what, {about: {isPage: true}});
};

/**
 * Returns the error for a redirect that was not followed, with the server that it leads to, if any. Undefined for any
 * other answer.
 */
export const redirectError = (answer: Answered, url: URL): SetupError | undefined => {
  const {status} = answer;
  if (status < 300 || status > 399) return undefined;
  const target = redirectTarget(answer, url);
  const remedy = target ? {} : {remedy: 'Ask its operators to fix the redirect: it names no address.'};
  // At the same server, the path is the problem. A query may contain a secret.
  const where = target?.origin === url.origin ? `${target.origin}${target.pathname}` : target?.origin;
  const what =
    where === undefined ? 'redirects, but names no address.' : `redirects to ${where}, which was not followed.`;
  return failureAt(url, 'network-redirected', what, {about: {status}, ...remedy});
};
