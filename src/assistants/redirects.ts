import type {Assistant} from './assistant.ts';

/** Returns the redirect URIs of an assistant that signs in to the server at `url`; empty if unknown. */
export const redirectsTo = ({redirects = [], redirectFor}: Assistant, url: string): readonly string[] =>
  redirectFor ? [redirectFor(url)] : redirects.slice(0, 1);

/** A redirect URI, and the name of the assistant that listens there. */
export type RedirectAddress = {readonly name: string; readonly address: string};

/** Returns every redirect URI of these assistants for signing in by themselves to these servers. */
export const redirectAddresses = (
  assistants: readonly Assistant[],
  servers: readonly string[],
): readonly RedirectAddress[] =>
  assistants.flatMap(({name, redirects = [], redirectFor}) =>
    [...redirects, ...(redirectFor ? servers.map(url => redirectFor(url)) : [])].map(address => ({name, address})),
  );
