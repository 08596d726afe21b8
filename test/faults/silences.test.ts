import {LIST_TIMEOUT, SECOND_PROBE_TIMEOUT} from '../../src/flows/time-limits.ts';
import {CALL_TIMEOUT} from '../../src/ports/ports.ts';
import {longRows} from '../support/tables.ts';
import {holdSideBySide} from './support/hold.ts';
import {silences} from './table/silences.ts';

/** The longest run: one call of each kind, one after the other, and the time between them. */
const atMost = CALL_TIMEOUT + LIST_TIMEOUT + SECOND_PROBE_TIMEOUT + 20_000;

holdSideBySide('a server that never comes to an end', longRows(silences), 2 * atMost);
