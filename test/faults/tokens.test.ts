import {hold} from './support/hold.ts';
import {tokens} from './table/tokens.ts';

hold('what the token endpoint gives', tokens);
