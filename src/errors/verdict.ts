import {capitalized} from '../sentence.ts';
import {rowOf} from './error-table.ts';
import type {ErrorCode} from './errors.ts';

/** The parts of a platform that an error can be about, as a sentence names them. */
export const serverNames = {
  'control-plane': 'the control plane',
  'identity-provider': 'the identity provider',
  observer: 'the observer',
  'mcp-control-plane': 'the MCP server of the control plane',
  'mcp-observability': 'the MCP server of the observer',
} as const;

export type ServerName = keyof typeof serverNames;

/** What is wrong with the assistants' own account, as a sentence for a headline, without a full stop. */
const verdictsOnAccount: {readonly [C in ErrorCode]?: string} = {
  'auth-sign-in-required': 'Your assistants are not signed in',
  'auth-no-role': 'Your assistants’ account needs a role',
};

/** Returns what is wrong if that is about the assistants' own account; undefined if it is about something else. */
export const verdictOnAccount = (code: ErrorCode): string | undefined => verdictsOnAccount[code];

/**
 * Returns what is wrong, as a sentence for a headline, without a full stop. The wizard, `doctor`, `status` and the
 * report show the same one.
 *
 * @param server the part of the platform concerned, if that is known
 * @param isUnanswered true if the renewal of the sign-in was not refused, but got no answer: the person may still be
 *   signed in
 */
export const verdictOnCode = (code: ErrorCode, server?: ServerName, isUnanswered = false): string => {
  if (isUnanswered) return 'Your sign-in is no longer renewed';
  const {verdict, means} = rowOf(code);
  const sentence = (verdict ?? means.replace(/\.$/, '')).replace(
    '{server}',
    server === undefined ? 'the server' : serverNames[server],
  );
  return capitalized(sentence);
};
