import {addressOf} from '../../domain/address.ts';
import type {Platform} from '../../platform/platform.ts';
import {recognise} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../answers.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';

/**
 * The kind of platform that answers at an address; undefined when nothing there says. Never fails but when it is stopped:
 * who looks into what does not work wants to get on.
 */
export const platformAt = async (
  controlPlaneUrl: string,
  platforms: readonly Platform[],
  {http}: Ports,
  signal: AbortSignal,
): Promise<Platform | undefined> => {
  const [usual] = platforms;
  if (!usual) return undefined;
  const ask = async (path: string): Promise<JsonObject> => {
    const url = addressOf(controlPlaneUrl, path);
    try {
      const reply = await http.send(
        {method: 'GET', url, timeout: PROBE_TIMEOUT, isQuick: true},
        {signal, report: () => {}},
      );
      return isSuccess(reply) ? readJson(reply, url) : {};
    } catch {
      signal.throwIfAborted();
      return {};
    }
  };
  const [version, metadata] = await Promise.all([ask(usual.paths.version), ask(usual.paths.protectedResource)]);
  const name = textAt(version, 'name');
  return recognise(platforms, {...(name === undefined ? {} : {name}), metadata});
};
