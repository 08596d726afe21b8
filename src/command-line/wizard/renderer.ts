import type {Ports} from '../../ports/ports.ts';
import type {Wizard} from '../../state/wizard.ts';
import type {Invocation} from '../command.ts';

/** How a person left the wizard. */
export type Ending = 'done' | 'cancelled' | 'failed' | 'diagnose';

/** Puts the wizard to a person, and resolves with how they left it. */
export type Face = (wizard: Wizard, ports: Ports, invocation: Invocation) => Promise<Ending>;
