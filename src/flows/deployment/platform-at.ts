import {addressOf} from '../../domain/address.ts';
import type {Platform} from '../../platform/platform.ts';
import {recognise} from '../../platform/recognise.ts';
import type {Ports} from '../../ports/ports.ts';
import {isSuccess, type JsonObject, readJson, textAt} from '../answers.ts';
import {PROBE_TIMEOUT} from '../time-limits.ts';
import {authorizationServerIn} from './authorization-server.ts';

/** The facts that a control plane states about its platform: its kind, and the identity provider that it trusts. */
export type PlatformThere = {readonly platform?: Platform; readonly issuer?: string};

/**
 * Returns what the control plane at an address says about its platform, as far as it answers. Fails only if it is
 * aborted, because a diagnosis has to go on.
 */
export const platformAt = async (
  controlPlaneUrl: string,
  platforms: readonly Platform[],
  {http}: Ports,
  signal: AbortSignal,
): Promise<PlatformThere> => {
  const [usual] = platforms;
  if (!usual) return {};
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
  const platform = recognise(platforms, {...(name === undefined ? {} : {name}), metadata});
  const issuer = authorizationServerIn(metadata);
  return {...(platform ? {platform} : {}), ...(issuer === undefined ? {} : {issuer})};
};
