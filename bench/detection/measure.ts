import {compose} from '../../src/compose.ts';
import {findDeployment} from '../../src/flows/deployment/find-deployment.ts';
import type {FlowEvent} from '../../src/flows/flow.ts';
import type {Surroundings} from '../surroundings.ts';
import {type Paces, startServers} from './platform-servers.ts';

export type Detection = {
  /** Milliseconds from the start of the search to its verdict, or to its failure. */
  readonly verdict: number;
  /** Milliseconds of the slowest probe that was answered. 0 if none was. */
  readonly slowestAnswer: number;
};

/** Runs the search for a deployment against servers with these paces. */
export const measureDetection = async (paces: Paces, {directory}: Surroundings): Promise<Detection> => {
  const servers = await startServers(paces);
  try {
    const {platform} = servers;
    const ports = compose({SETUP_HOME: directory, HOME: directory}, {allowHttp: []});
    const input = {platforms: [platform], baseDomain: platform.localBaseDomain, addresses: {}, layout: 'auto'} as const;
    let slowestAnswer = 0;
    const started = performance.now();
    try {
      const tell = (event: FlowEvent) => {
        // Measured here, because the milliseconds of the event are whole.
        const isAnswer = event.type === 'probe-answered' && event.outcome !== 'down';
        if (isAnswer) slowestAnswer = performance.now() - started;
      };
      await findDeployment(input, {ports, signal: new AbortController().signal, tell});
    } catch (error) {
      if (slowestAnswer === 0 || !(error instanceof Error && error.name === 'SetupError')) throw error;
    }
    return {verdict: performance.now() - started, slowestAnswer};
  } finally {
    await servers.close();
  }
};
