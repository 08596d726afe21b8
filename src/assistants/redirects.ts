import type {Assistant} from './assistant.ts';

/** Where a browser sends a person back to an assistant that signs in to the server at `url`; none where that is not known. */
export const redirectsTo = ({redirects = [], redirectFor}: Assistant, url: string): readonly string[] =>
  redirectFor ? [redirectFor(url)] : redirects.slice(0, 1);

/** A redirect address, and the name of the assistant that listens there. */
export type RedirectAddress = {readonly name: string; readonly address: string};

/** Every address at which one of these assistants may listen, where it signs in by itself to one of these servers. */
export const redirectAddresses = (
  assistants: readonly Assistant[],
  servers: readonly string[],
): readonly RedirectAddress[] =>
  assistants.flatMap(({name, redirects = [], redirectFor}) =>
    [...redirects, ...(redirectFor ? servers.map(url => redirectFor(url)) : [])].map(address => ({name, address})),
  );
