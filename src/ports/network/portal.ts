import {SetupError} from '../../errors/errors.ts';
import {cleanText} from '../../text.ts';
import {showUrl} from './curl.ts';
import {isLoopback} from './route.ts';

type Answered = {
  readonly status: number;
  header(name: string): string | undefined;
  /** As far as it was read. */
  readonly body?: string;
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

/** The most of a page's title that is looked at, in characters. */
const LONGEST_TITLE = 2_000;

/** What a page calls itself, as a browser shows it. */
const titleOf = (page: string): string => {
  const start = page.search(/<title/i);
  const from = start < 0 ? -1 : page.indexOf('>', start);
  const [said = ''] = from < 0 ? [] : page.slice(from + 1, from + 1 + LONGEST_TITLE).split('<', 1);
  return cleanText(said.replaceAll(/&([#\w]+);/g, (whole, name: string) => entities[name.toLowerCase()] ?? whole));
};

/**
 * Who answers in the place of the platform: a page for people, the sign-in of a network (RFC 6585 6), or a redirect to
 * another machine. Undefined where it may be the platform's, as on this machine, where no network lies between.
 */
export const portalIn = (answer: Answered, url: URL): SetupError | undefined => {
  const {status, header, body = ''} = answer;
  const about = {url: showUrl(url)};
  const location = header('location');
  if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url.href)) {
    const {hostname, origin} = new URL(location, url);
    if (hostname === url.hostname || isLoopback(url.hostname)) return undefined;
    return new SetupError('network-portal', `${showUrl(url)} redirects to ${origin}, which was not followed.`, {about});
  }
  const isSaidByPages = (status >= 200 && status < 300) || status === 403 || status === 511;
  if (!isSaidByPages || !isPage(answer)) return undefined;
  const title = titleOf(body);
  const page = title === '' ? 'a web page' : `a web page (“${title}”)`;
  const message = `${showUrl(url)} returned ${page} instead of the platform’s own answer (${status}).`;
  return new SetupError('network-portal', message, {about: {...about, isPage: true}});
};

/** A redirect that was not followed, with the server that it leads to, if to any. Undefined for any other answer. */
export const redirectError = ({status, header}: Answered, url: URL): SetupError | undefined => {
  if (status < 300 || status > 399) return undefined;
  const location = header('location');
  const target = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url).origin : 'nowhere';
  const message = `${showUrl(url)} redirects to ${target}, which was not followed.`;
  const remedy = target === 'nowhere' ? {remedy: 'Ask its operators to check the redirect: it names no address.'} : {};
  return new SetupError('network-redirected', message, {about: {url: showUrl(url), status}, ...remedy});
};
