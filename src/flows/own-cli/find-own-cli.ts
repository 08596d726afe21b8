import type {Place} from '../../assistants/place.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Flow} from '../flow.ts';
import {reporting} from '../reporting.ts';
import {VERSION_TIMEOUT} from '../time-limits.ts';
import {ownCliPath} from './compose-cli.ts';

/** What this machine says about the platform's own CLI. */
export type FoundOwnCli = {readonly installed: boolean};

type Input = {readonly platform: Platform; readonly place: Place};

/** Looks for its file, and for its program, which is not run: any run of it writes into the person's home. Never fails. */
export const findOwnCli: Flow<Input, FoundOwnCli> = ({platform, place}, ports, signal) =>
  reporting({ports, signal}, async ({signal}) => {
    if (await ports.files.exists(ownCliPath(platform, place.home))) return {installed: true};
    const look = place.system === 'win32' ? 'where' : 'command -v';
    const line = `${look} ${platform.ownCli?.name}`;
    const found = await ports.processes.runLine(line, {timeout: VERSION_TIMEOUT, signal});
    return {installed: found.outcome === 'exited' && found.code === 0};
  });
