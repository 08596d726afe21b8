import {bundledKind} from './bundled.ts';
import type {Kind} from './kind.ts';
import {openchoreoKind} from './openchoreo.ts';

/** The platforms that a sandbox can be. */
export const kinds = {bundled: bundledKind, openchoreo: openchoreoKind} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
