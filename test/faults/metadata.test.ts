import {hold} from './support/hold.ts';
import {metadata} from './table/metadata.ts';

hold('what an identity provider says of itself', metadata);
