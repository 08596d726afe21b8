import {hold} from './support/hold.ts';
import {protocol} from './table/protocol.ts';

hold('what an MCP server says', protocol);
