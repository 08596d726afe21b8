import type {Place} from '../../assistants/place.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Flow} from '../flow.ts';
import {stoppable} from '../stoppable.ts';
import {ownCliPath} from './compose-cli.ts';

/** What this machine says about the platform's own CLI. */
export type FoundOwnCli = {readonly installed: boolean};

type Input = {readonly platform: Platform; readonly place: Place};

/** Looks for its file, and for its program, which is not run: any run of it writes into the person's home. Never fails. */
export const findOwnCli: Flow<Input, FoundOwnCli> = ({platform, place}, run) =>
  stoppable(run, async ({ports}) => {
    if (await ports.files.exists(ownCliPath(platform, place.home))) return {installed: true};
    const name = platform.ownCli?.name;
    return {installed: name !== undefined && (await ports.processes.find(name)) !== undefined};
  });
