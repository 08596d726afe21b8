import {type FaultName, inOrder} from '../faults.ts';
import {clockAhead} from './clock-ahead.ts';
import {controlPlane503} from './control-plane-503.ts';
import type {Effect} from './effect.ts';
import {expiredCertificate} from './expired-certificate.ts';
import {combineHooks, type Hooks} from './hooks.ts';
import {idpBusy} from './idp-busy.ts';
import {idpDown} from './idp-down.ts';
import {idpHtml} from './idp-html.ts';
import {lostAnswer} from './lost-answer.ts';
import {mcp401} from './mcp-401.ts';
import {mcp403} from './mcp-403.ts';
import {mcpBusy} from './mcp-busy.ts';
import {mcpHtml} from './mcp-html.ts';
import {missingRedirect} from './missing-redirect.ts';
import {missingScope} from './missing-scope.ts';
import {noPkce} from './no-pkce.ts';
import {noRefresh} from './no-refresh.ts';
import {oldControlPlane} from './old-control-plane.ts';
import {refreshRefused} from './refresh-refused.ts';
import {selfSigned} from './self-signed.ts';
import {slowIdp} from './slow-idp.ts';
import {wrongAudience} from './wrong-audience.ts';
import {wrongIssuer} from './wrong-issuer.ts';

const effects: Readonly<Record<FaultName, Effect>> = {
  'idp-down': idpDown,
  'control-plane-503': controlPlane503,
  'observer-missing': {observerListens: false},
  'expired-certificate': expiredCertificate,
  'self-signed': selfSigned,
  'clock-ahead': clockAhead,
  'slow-idp': slowIdp,
  'idp-html': idpHtml,
  'idp-busy': idpBusy,
  'lost-answer': lostAnswer,
  'wrong-issuer': wrongIssuer,
  'no-pkce': noPkce,
  'unknown-client': {cliClient: () => undefined},
  'missing-redirect': missingRedirect,
  'no-refresh': noRefresh,
  'refresh-refused': refreshRefused,
  'opaque-tokens': {accessTokenFormat: 'opaque'},
  'wrong-audience': wrongAudience,
  'old-control-plane': oldControlPlane,
  'mcp-busy': mcpBusy,
  'mcp-forgets': {requestsOfSession: 4},
  'mcp-breaks-off': {toolCallsBreakOff: true},
  'mcp-html': mcpHtml,
  'mcp-401': mcp401,
  'mcp-403': mcp403,
  'missing-scope': missingScope,
  'port-taken': {holdsCallbackPort: true},
};

/** The faults of a running sandbox. What is in force is decided here, and asked for here by everything that they change. */
export type FaultsInForce = {
  readonly hooks: Hooks;
  /** Their names, in the order of the table. */
  names(): readonly FaultName[];
  set(names: readonly FaultName[]): void;
};

export const faultsInForce = (given: readonly FaultName[]): FaultsInForce => {
  let names = inOrder(given);
  return {
    hooks: combineHooks(() => names.map(name => effects[name])),
    names: () => names,
    set(next) {
      names = inOrder(next);
    },
  };
};
