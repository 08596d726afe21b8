import {type ErrorCode, familyOf, type SetupError} from '../../errors/errors.ts';

/** Whether signing in would help, as far as a failure shows. */
export const isSignInOver = ({code, about}: SetupError): boolean =>
  (familyOf(code) === 'auth' && !ofOperators.has(code)) ||
  // A sign-in can ask for the scope that the token lacks.
  (code === 'auth-scope-missing' && about.toRequest !== undefined) ||
  code === 'local-credentials-invalid';

/**
 * Reasons for which the server or the identity provider refuses every sign-in, until its operators change something.
 */
const ofOperators: ReadonlySet<ErrorCode> = new Set([
  'auth-permission-missing',
  'auth-scope-missing',
  'auth-audience-wrong',
  'auth-token-opaque',
]);
