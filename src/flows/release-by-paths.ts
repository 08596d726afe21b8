import {addressOf} from '../domain/address.ts';
import {SetupError} from '../errors/errors.ts';
import type {Platform} from '../platform/platform.ts';
import {tellsRelease} from '../platform/recognise.ts';
import type {Run} from './flow.ts';
import {isSuccess} from './http-answers.ts';

type ControlPlane = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  /** The release that its paths revealed earlier. If it is given, no path is requested. */
  readonly knownRelease?: string;
};

/**
 * Returns the release of a control plane: the one that it names, or else the one whose paths it answers. A build from
 * sources names `not-set`, or nothing.
 *
 * @param reported the release that it names
 * @returns undefined if neither reveals it
 * @throws the signal's reason
 */
export const releaseFor = async (
  reported: string | undefined,
  controlPlane: ControlPlane,
  run: Run,
): Promise<string | undefined> =>
  tellsRelease(reported) ? reported : (controlPlane.knownRelease ?? releaseByPaths(controlPlane, run));

/**
 * Returns the newest release with a path that this control plane answers, or the oldest release if it answers none of
 * these paths. No sign-in is needed: an existing path asks for a token, and a missing one does not.
 */
const releaseByPaths = async ({platform, controlPlaneUrl}: ControlPlane, run: Run): Promise<string | undefined> => {
  const {ports, signal, tell} = run;
  const isThere = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const request = {method: 'GET', url: addressOf(controlPlaneUrl, path), headers, redirects: 'answer'} as const;
    const reply = await ports.http.send(request, {signal, report: tell});
    if (isSuccess(reply) || reply.status === 401 || reply.status === 403) return true;
    return reply.status === 404 ? false : undefined;
  };
  try {
    const [everywhere, nowhere, ...answers] = await Promise.all([
      isThere(platform.paths.namespaces),
      isThere(`${platform.paths.namespaces}/-/-`),
      ...platform.releases.map(({toldBy, apiHeaders}) => toldBy && isThere(toldBy, apiHeaders)),
    ]);
    // A server that answers for a missing path, such as a gateway with a sign-in of its own, reveals nothing by its
    // answers. A server without a path that every release has reveals nothing either.
    if (
      !everywhere ||
      nowhere !== false ||
      answers.some((one, at) => one === undefined && platform.releases[at]?.toldBy)
    ) {
      return undefined;
    }
    const newest = platform.releases.findLast((_, at) => answers[at]);
    return (newest ?? platform.releases[0])?.line;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SetupError)) throw error;
    return undefined;
  }
};
