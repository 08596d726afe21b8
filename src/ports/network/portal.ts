import {SetupError} from '../../errors.ts';
import {cleanText} from '../../text.ts';
import {showUrl} from './curl.ts';

type Answered = {
  readonly status: number;
  /** By its name in lower case. */
  header(name: string): string | undefined;
  /** As far as it was read. */
  readonly body?: string;
};

/** Whether an answer is a page for people. */
export const isPage = ({header, body = ''}: Pick<Answered, 'header' | 'body'>): boolean =>
  (header('content-type') ?? '').includes('html') || body.trimStart().startsWith('<');

/**
 * Who answers in the place of the platform: a page where no page is, the sign-in of a network (RFC 6585 6), or a way to
 * another machine, where the platform sends no call. Undefined where the answer may be the platform's.
 */
export const portalIn = (answer: Answered, url: URL): SetupError | undefined => {
  const {status, header, body = ''} = answer;
  const location = header('location');
  if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url.href)) {
    const {hostname, origin} = new URL(location, url);
    if (hostname === url.hostname) return undefined;
    return new SetupError('network-portal', `${showUrl(url)} redirects to ${origin}, which was not followed.`);
  }
  const isSaidByPages = (status >= 200 && status < 300) || status === 403 || status === 511;
  if (!isSaidByPages || !isPage(answer)) return undefined;
  const title = cleanText(/<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? '').trim();
  const page = title === '' ? 'a web page' : `a web page, “${title}”,`;
  return new SetupError('network-portal', `${showUrl(url)} answered ${page} where no page is (${status}).`);
};
