import {addressOf} from '../domain/address.ts';
import {SetupError} from '../errors/errors.ts';
import type {Platform} from '../platform/platform.ts';
import {tellsRelease} from '../platform/recognise.ts';
import {isSuccess} from './answers.ts';
import type {Run} from './flow.ts';

type ControlPlane = {
  readonly platform: Platform;
  readonly controlPlaneUrl: string;
  /** What its paths told at an earlier time, which is not asked again. */
  readonly kept?: string;
};

/**
 * The release that a control plane is: the one that it says, else the one whose paths it answers. A build from sources
 * says `not-set`, or nothing.
 *
 * @param said what it says of itself
 * @returns undefined where neither tells it
 * @throws what the signal aborts with
 */
export const releaseFor = async (
  said: string | undefined,
  controlPlane: ControlPlane,
  run: Run,
): Promise<string | undefined> =>
  tellsRelease(said) ? said : (controlPlane.kept ?? releaseByPaths(controlPlane, run));

/**
 * The newest release that has a path which this control plane answers. Nobody has to be signed in: what is there asks for
 * a token, and what is not there does not.
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
    // Whoever answers for what is not there, as a gateway with a sign-in of its own, tells nothing by answering; and
    // whoever lacks what every release has tells nothing by that.
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
