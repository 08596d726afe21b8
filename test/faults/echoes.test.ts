import {hold} from './support/hold.ts';
import {echoes} from './table/echoes.ts';

hold('a server that says back what it was sent', echoes);
