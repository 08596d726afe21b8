import {hold} from './support/hold.ts';
import {connections} from './table/connections.ts';

hold('a connection that goes wrong', connections);
