import {type ErrorCode, SetupError} from '../errors.ts';

/** Whose turn it is after a failure of this code, as a sentence. */
export const whoseTurn = (code: ErrorCode): string => {
  const {whose} = new SetupError(code, '');
  if (whose === 'you') return 'You can fix this yourself, or know whom to ask.';
  return whose === 'platform'
    ? 'The operators of the platform or of its identity provider fix this.'
    : 'Please report this.';
};
