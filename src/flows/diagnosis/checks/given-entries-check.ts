import {pass, warn} from '../../../domain/finding.ts';
import type {GivenEntry} from '../../assistants/given-entries.ts';
import {createGoneProgram} from '../../assistants/inspect-entries.ts';
import {asTried} from '../../assistants/verify-entries.ts';
import type {Check} from '../check.ts';
import {START_TIME, tokenAt} from './assistant-checks.ts';

/** Returns one check for each assistant that an organisation has connected by a file of its own. */
export const givenEntriesChecks = (given: readonly GivenEntry[]): readonly Check[] =>
  [...Map.groupBy(given, ({assistant}) => assistant)].map(([{id, name}, entries]) => ({
    id: `assistant-${id}-organisation`,
    title: `Entries of ${name}`,
    needs: ['token'],
    time: START_TIME,
    run: async ({ports, learned, outcomeOf, toolsThrough}) => {
      const goneProgram = createGoneProgram(ports);
      const counts: string[] = [];
      for (const {server, name, path, connection} of entries) {
        const ground = await outcomeOf(`mcp-${server}`);
        if (ground?.verdict === 'fail')
          return {verdict: 'skipped', saw: 'its server does not answer', because: `mcp-${server}`};
        if (ground?.verdict === 'skipped') return ground;
        const gone = await goneProgram(connection);
        if (gone !== undefined) {
          return warn(
            path,
            `Your organisation’s entry “${name}” starts ${gone}, which is not on this machine.`,
            'Ask whoever manages this machine to install it.',
          );
        }
        const {names} = await toolsThrough(asTried(connection, () => tokenAt(server, learned)));
        counts.push(`${server} ${names.length} tools`);
      }
      return pass(`${entries[0]?.path}, by your organisation: ${counts.join(', ')}`);
    },
  }));
