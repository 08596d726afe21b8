import {hold} from './support/hold.ts';
import {redirections} from './table/redirects.ts';

hold('a redirect', redirections);
