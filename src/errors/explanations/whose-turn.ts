import {type ErrorCode, SetupError} from '../errors.ts';

/** Returns a sentence that says who has to act after a failure of this code. */
export const whoseTurn = (code: ErrorCode): string => {
  const {whose} = new SetupError(code, '');
  if (whose === 'you') return 'Who can fix it: you.';
  return whose === 'platform'
    ? 'Who can fix it: the operators of the platform or of its identity provider.'
    : 'Who can fix it: this project. Please report it.';
};
