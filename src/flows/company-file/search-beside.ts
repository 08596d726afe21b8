import type {FoundDeployment} from '../../domain/context.ts';
import {cancelled} from '../../errors/errors.ts';
import type {CompanyFile} from '../../platform/company-file.ts';
import type {Platform} from '../../platform/platform.ts';
import type {Flow, Run} from '../flow.ts';
import {markHandled, stoppable} from '../stoppable.ts';
import {findCompanyFile} from './find-company-file.ts';

type Input = {
  readonly baseDomain: string;
  readonly platforms: readonly Platform[];
  readonly version: string;
  /** The search for the platform under its usual names. */
  search(run: Run): Promise<FoundDeployment>;
};

type Found = {readonly file?: CompanyFile; readonly found?: FoundDeployment};

/**
 * Looks for the company file of a base domain beside the search for the platform, so that it costs next to no time. Where
 * there is one, it is no failure that the platform has other names.
 *
 * @throws SetupError as the search, where there is no company file
 */
export const searchBesideCompanyFile: Flow<Input, Found> = ({search, ...input}, run) =>
  stoppable(run, async run => {
    const late = new AbortController();
    const searching = markHandled(search(run));
    const looking = markHandled(findCompanyFile({...input, late: late.signal}, run));
    void soonAfter(searching, run).then(
      () => late.abort(cancelled()),
      () => undefined,
    );
    const file = await looking;
    if (!file) return {found: await searching};
    const found = await searching.catch(() => undefined);
    run.signal.throwIfAborted();
    return {file, ...(found ? {found} : {})};
  });

/** How long a company file is still waited for once the platform was found without it, in milliseconds. */
const GRACE = 500;

/** Ends a moment after the search that has found something; fails with it. */
const soonAfter = async (searching: Promise<unknown>, {ports, signal}: Run): Promise<void> => {
  await searching;
  await ports.clock.sleep(GRACE, signal);
};
