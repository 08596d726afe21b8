import {SetupError} from '../../errors/errors.ts';

/**
 * Returns what `error` of an MCP server means if its service has just answered. A web page is then not the network's
 * sign-in page, which would answer every request, but something else that is served at that path.
 */
export const inPlaceOfMcp = (error: SetupError, url: URL): SetupError => {
  if (error.code !== 'network-portal' || !error.about.isPage) return error;
  return new SetupError(
    'platform-mcp-failed',
    `${url.href} returned a web page instead of an MCP reply, although ${url.origin} itself answers.`,
    {
      cause: error,
      about: error.about,
      remedy: 'Ask the platform’s operators to check what is served at that path: it is not the MCP server.',
    },
  );
};
