import type {Connection} from '../../../assistants/connection.ts';
import {SetupError} from '../../../errors/errors.ts';
import {parseJson} from '../../../json.ts';
import type {Ports} from '../../../ports/ports.ts';
import {cleanText} from '../../../text.ts';
import type {Run} from '../../flow.ts';
import {listTools, listToolsByCommand, type ToolList} from '../../platform-tools/list-tools.ts';
import {HELPER_TIMEOUT} from '../../time-limits.ts';

/** A connection that can be tried without its client. */
export type TriableConnection = Exclude<Connection, {kind: 'oauth'}>;

/**
 * How an entry is tried. What a client gets by signing in itself is its own, so the server is asked with the token that
 * the person has here: that shows that the address is right and the server answers.
 */
export const asTried = (connection: Connection, token: () => string): TriableConnection =>
  connection.kind === 'oauth'
    ? {kind: 'header', url: connection.url, headers: {Authorization: `Bearer ${token()}`}}
    : connection;

/** What a server offers through an entry, by the way that the entry says. */
export const listThrough = async (connection: TriableConnection, run: Run): Promise<ToolList> => {
  const {ports, signal} = run;
  if (connection.kind === 'command') return listToolsByCommand(connection, ports, signal);
  const {url} = connection;
  const headers = connection.kind === 'header' ? connection.headers : await headersBy(connection.helper, ports, signal);
  const wrong = Object.entries(headers).find(([name, value]) => !fieldName.test(name) || !fieldValue.test(value));
  if (wrong) {
    const message = `The entry for ${url} has a header that cannot be sent: ${cleanText(wrong[0])}.`;
    throw new SetupError('local-entry-failed', message);
  }
  return listTools({url, headers}, run);
};

/** What the name and the value of a header are made of (RFC 9110 5.1 and 5.5). Node throws at anything else. */
const [fieldName, fieldValue] = [/^[\w!#$%&'*+.^`|~-]+$/, /^[\t\x20-\x7e\x80-\xff]*$/];

/** The headers that a helper prints: a JSON object of texts. */
const headersBy = async (helper: string, {processes}: Ports, signal: AbortSignal): Promise<Record<string, string>> => {
  const result = await processes.runLine(helper, {timeout: HELPER_TIMEOUT, signal});
  const failed = (why: string) => new SetupError('local-entry-failed', `${helper} failed: ${why}`);
  if (result.outcome !== 'exited')
    throw failed(result.outcome === 'missing' ? 'there is no shell.' : 'it took too long.');
  if (result.code !== 0) throw failed(cleanText(result.stderr) || `it exited with code ${result.code}.`);
  try {
    const headers: unknown = parseJson(result.stdout);
    if (
      typeof headers === 'object' &&
      headers !== null &&
      Object.values(headers).every(value => typeof value === 'string')
    )
      return headers as Record<string, string>;
  } catch {}
  throw failed('it did not print a JSON object of headers.');
};
