import type {Assistant} from './assistant.ts';

/** Where a browser sends a person back to an assistant that signs in to the server at `url`; none where that is not known. */
export const redirectsTo = ({redirects = [], redirectFor}: Assistant, url: string): readonly string[] =>
  redirectFor ? [redirectFor(url)] : redirects.slice(0, 1);
