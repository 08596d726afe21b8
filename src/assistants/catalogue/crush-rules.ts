import {entriesAt, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/**
 * According to its source: on Linux and macOS there is one file for everyone; the person's own files are merged over
 * it, member by member. So a server that it disables stays disabled, since the person's entry does not enable it.
 */
export const crushRules: Rules = {
  language: 'JSON',
  files: ({system}) => (system === 'win32' ? [] : ['/etc/crush/crush.json']),
  gives: ([system]) => entriesAt(system, 'mcp'),
  blocks: ([system], {name}) => at(system, 'mcp', name, 'disabled') === true,
};
