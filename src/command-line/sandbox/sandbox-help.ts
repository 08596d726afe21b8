import {bindUsage} from './sandbox-bindings.ts';
import {faultHelp} from './sandbox-faults.ts';

/** Returns the faults that a sandbox can have, and what can be typed while it runs in a terminal. */
export const sandboxHelp = (): string => `${faultHelp()}
While it runs
  Enter       Fixes everything; type the name of a fault first to fix only that one
  bind …      Gives a role: ${bindUsage}
              bind sub mcp_client project shop
  new keys    Makes the identity provider sign with a new key
`;
