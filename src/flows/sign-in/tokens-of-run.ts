import {tokenNames} from '../../domain/secret-names.ts';
import type {RunTokens} from '../../domain/server-tokens.ts';
import type {Ports} from '../../ports/ports.ts';

/** @returns undefined while nobody has signed in */
export const tokensOfRun = ({vault}: Pick<Ports, 'vault'>): RunTokens | undefined => {
  const signIn = vault.get(tokenNames().access);
  const observability = vault.get(tokenNames('observability').access);
  return signIn === undefined ? undefined : {signIn, ...(observability === undefined ? {} : {observability})};
};
