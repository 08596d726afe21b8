import {hold} from './support/hold.ts';
import {wrongDocuments} from './table/documents.ts';

hold('a success that is none', wrongDocuments);
