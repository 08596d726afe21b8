import {entriesAt, type Rules} from '../rules.ts';
import {at} from '../trust.ts';

/**
 * By its source: one file for everybody, on Linux and macOS, which the person's own are laid over, member by member. So
 * what it switches off stays off, as an entry of the person's does not say that it is on.
 */
export const crushRules: Rules = {
  language: 'JSON',
  files: ({system}) => (system === 'win32' ? [] : ['/etc/crush/crush.json']),
  gives: ([system]) => entriesAt(system, 'mcp'),
  blocks: ([system], {name}) => at(system, 'mcp', name, 'disabled') === true,
};
