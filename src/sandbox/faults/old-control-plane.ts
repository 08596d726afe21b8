import {bundled} from '../../platform/bundled.ts';
import {version} from '../control-plane/version.ts';
import {sendJson} from '../http/reply.ts';
import {atPath} from './at-path.ts';
import type {Effect} from './effect.ts';

const old = {...version, version: '0.12.3', gitRevision: '2f60c1ab', buildTime: '2025-11-18T09:12:00+0000'};

export const oldControlPlane: Effect = {
  before: {'control-plane': atPath(bundled.paths.version, () => (_, response) => sendJson(response, 200, old))},
};
