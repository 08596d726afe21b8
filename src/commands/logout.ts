import {allAssistants} from '../assistants/all.ts';
import {signOut} from '../flows/sign-out.ts';
import {shortPath} from '../state/places.ts';
import {assistantPlace} from './assistant-place.ts';
import type {Run} from './command.ts';
import {currentContext} from './current-context.ts';
import {finish} from './finish.ts';
import {portsOf} from './ports-of.ts';

/** `setup logout`: revokes where the identity provider can, then removes every secret of the context. */
export const runLogout: Run = async invocation => {
  const {flags, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, flags);
  const place = assistantPlace(env);
  const {revocation, cleared} = await finish(signOut({context, assistants: allAssistants, place}, ports, signal));
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({context: context.name, revocation, cleared})}\n`);
    return;
  }
  const words = {
    revoked: `The identity provider has revoked it.`,
    'not-offered': 'There was nothing that the identity provider could revoke.',
    shared: 'Another context lives on the same sign-in, so that is kept.',
    failed: `${context.issuer} could not be asked to revoke it; it ends there by itself.`,
  } as const;
  terminal.stdout.write(`Signed out of ${context.name}. ${words[revocation]}\n`);
  for (const path of cleared) terminal.stdout.write(`Its token is out of ${shortPath(path, place.home)}.\n`);
};
