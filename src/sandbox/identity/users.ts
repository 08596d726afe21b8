import {randomUUID} from 'node:crypto';
import type {Person} from '../kinds/kind.ts';

export type User = Person & {readonly id: string; readonly familyName: string};

export type SignInFailure = 'unknown-user' | 'wrong-password';

export type Users = {
  readonly admin: User;
  list(): readonly User[];
  byId(id: string): User | undefined;
  /** The person with these credentials, or why there is none. */
  authenticate(username: string, password: string): User | SignInFailure;
};

/** The people of a sandbox, the first of whom administers the identity provider. Their IDs are new each start. */
export const createUsers = ([first, ...others]: readonly [Person, ...Person[]]): Users => {
  const admin = user(first);
  const people = [admin, ...others.map(user)];
  return {
    admin,
    list: () => people,
    byId: id => people.find(person => person.id === id),
    authenticate(username, password) {
      const person = people.find(candidate => candidate.username === username);
      if (!person) return 'unknown-user';
      return person.password === password ? person : 'wrong-password';
    },
  };
};

const user = (person: Person): User => ({...person, id: randomUUID(), familyName: 'User'});
