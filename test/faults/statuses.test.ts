import {hold} from './support/hold.ts';
import {statuses} from './table/statuses.ts';

hold('a status that is no success', statuses);
