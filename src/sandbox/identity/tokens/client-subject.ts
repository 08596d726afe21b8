import type {IdentityRelease} from '../../releases/identity-release.ts';
import type {Application} from '../applications/applications.ts';

/** The `sub` of a client's own tokens, by which roles know it: its client ID, or the ID of its application. */
export const subjectOf = ({id, clientId}: Application, {tokens}: IdentityRelease): string =>
  tokens.clientSubject === 'application-id' ? id : clientId;
