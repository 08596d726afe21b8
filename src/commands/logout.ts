import {allAssistants} from '../assistants/catalogue/all.ts';
import type {CommandHandler} from '../command-line/command.ts';
import {currentContext} from '../command-line/context/current-context.ts';
import {finish} from '../command-line/output/finish.ts';
import {portsOf} from '../command-line/ports-of.ts';
import {readPlace} from '../command-line/read-place.ts';
import {duration} from '../duration.ts';
import {signOut} from '../flows/sign-out/entry.ts';
import {shortPath} from '../state/stores/own-paths.ts';

/** `setup logout`: revokes where the identity provider can, then removes every secret of the context. */
export const runLogout: CommandHandler = async invocation => {
  const {flags, env, terminal, signal} = invocation;
  const ports = portsOf(invocation);
  const context = await currentContext(ports, invocation);
  const place = readPlace(env);
  const {revocation, cleared, goodUntil} = await finish(
    signOut({context, assistants: allAssistants, place}, ports, signal),
  );
  const until = goodUntil === undefined ? {} : {goodUntil: new Date(goodUntil).toISOString()};
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({context: context.name, revocation, cleared, ...until})}\n`);
    return;
  }
  const words = {
    revoked: `The identity provider has revoked it.`,
    'not-offered': 'The identity provider offers no revocation.',
    shared: 'Another context lives on the same sign-in, so that is kept.',
    failed: `${context.issuer} could not be asked to revoke it; it ends there by itself.`,
  } as const;
  const left = goodUntil === undefined ? 0 : goodUntil - ports.clock.now();
  const stays = left > 0 ? ` Its refresh token is gone from here, and stays good there for ${duration(left)}.` : '';
  terminal.stdout.write(`Signed out of ${context.name}. ${words[revocation]}${stays}\n`);
  for (const path of cleared) terminal.stdout.write(`Its token is out of ${shortPath(path, place.home)}.\n`);
};
