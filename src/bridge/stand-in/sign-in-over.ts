import {familyOf, type SetupError} from '../../errors/errors.ts';

/** Whether signing in would help, as far as a failure tells. */
export const isSignInOver = ({code}: SetupError): boolean =>
  (familyOf(code) === 'auth' && code !== 'auth-permission-missing' && code !== 'auth-scope-missing') ||
  code === 'local-credentials-invalid';
