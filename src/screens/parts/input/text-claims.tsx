import {createContext, useContext, useLayoutEffect, useRef} from 'react';

/** Whether somebody takes a text, all of it at once. An empty one asks whether any text would be taken. */
export type TextClaim = (text: string) => boolean;

/** Who takes what is typed as words. Where nobody does, each character is a key of its own. */
export type TextClaims = {
  readonly isTaken: TextClaim;
  /** Returns how to end it. */
  add(claim: TextClaim): () => void;
};

export const createTextClaims = (): TextClaims => {
  const claims = new Set<TextClaim>();
  return {
    isTaken: text => [...claims].some(claim => claim(text)),
    add: claim => {
      claims.add(claim);
      return () => claims.delete(claim);
    },
  };
};

const ClaimsContext = createContext<TextClaims>(createTextClaims());

export const TextClaimsProvider = ClaimsContext.Provider;

/** Takes text for as long as the component is there and `claim` says so. */
export const useTextClaim = (claim: TextClaim): void => {
  const claims = useContext(ClaimsContext);
  const latest = useRef(claim);
  latest.current = claim;
  useLayoutEffect(() => claims.add(text => latest.current(text)), [claims]);
};
