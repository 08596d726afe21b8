import {SetupError} from '../../errors/errors.ts';

/**
 * What it means that an MCP server failed with `error` where its service has just answered: a web page is no sign-in of
 * the network then, which would answer in the place of everything, but what somebody serves at that path.
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
