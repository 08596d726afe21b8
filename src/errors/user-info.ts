import {SetupError} from './errors.ts';

/** Refuses a URL with a username or a password (RFC 3986 3.2.1), and does not show it. @throws SetupError `input-invalid` */
export const refuseUserInfo = ({username, password}: URL): void => {
  if (username !== '' || password !== '')
    throw new SetupError('input-invalid', 'Leave the username and password out of the address.');
};
