import {randomUUID} from 'node:crypto';

export type User = {
  readonly id: string;
  readonly username: string;
  readonly password: string;
  readonly givenName: string;
  readonly familyName: string;
  readonly email: string;
  readonly groups: readonly string[];
  /** What a flow may authorize this person for, platform access 2.2. */
  readonly permissions: readonly string[];
};

export type SignInFailure = 'unknown-user' | 'wrong-password';

export type Users = {
  readonly admin: User;
  byId(id: string): User | undefined;
  /** The person with these credentials, or why there is none. */
  authenticate(username: string, password: string): User | SignInFailure;
};

/** The people of a sandbox: one who administers the platform, and one who only uses it. Their IDs are new each start. */
export const createUsers = (): Users => {
  const admin = user('admin', {givenName: 'Admin', groups: ['platform-engineers'], permissions: ['system']});
  const people = [admin, user('developer', {givenName: 'Dev', groups: ['developers'], permissions: []})];
  return {
    admin,
    byId: id => people.find(person => person.id === id),
    authenticate(username, password) {
      const person = people.find(candidate => candidate.username === username);
      if (!person) return 'unknown-user';
      return person.password === password ? person : 'wrong-password';
    },
  };
};

const user = (name: string, rest: Pick<User, 'givenName' | 'groups' | 'permissions'>): User => ({
  id: randomUUID(),
  username: name,
  password: name,
  familyName: 'User',
  email: `${name}@platform.example`,
  ...rest,
});
