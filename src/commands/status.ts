import {compose} from '../compose.ts';
import {duration} from '../state/duration.ts';
import {layoutName} from '../state/names.ts';
import type {Run} from './command.ts';

/** `setup status`: every context, who is signed in and for how long. No network. */
export const runStatus: Run = async ({flags, env, terminal}) => {
  const ports = compose(env, {allowHttp: []});
  const {contexts, currentContext} = await ports.config.read();
  const now = ports.clock.now();
  const shown = contexts.filter(({name}) => flags.context === undefined || name === flags.context);
  const rows = await Promise.all(
    shown.map(async context => {
      const credentials = await ports.credentials.get(context);
      const {expiresAt} = credentials ?? {};
      return {
        ...context,
        current: context.name === currentContext,
        signedIn: credentials?.accessToken !== undefined,
        expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt).toISOString(),
        secondsLeft: expiresAt === undefined ? undefined : Math.max(0, Math.floor((expiresAt - now) / 1000)),
        renewable: credentials?.clientSecret !== undefined,
      };
    }),
  );
  if (flags.json) {
    terminal.stdout.write(`${JSON.stringify({contexts: rows})}\n`);
    return;
  }
  if (rows.length === 0) terminal.stdout.write('Nothing is set up yet. Run npx setup.\n');
  for (const row of rows) {
    const left = row.secondsLeft === undefined ? 'expiry unknown' : `${duration(row.secondsLeft * 1000)} left`;
    const renewal = row.renewable ? ', renewed when needed' : '';
    const lines = [
      `${row.name}${row.current ? ' (current)' : ''}: ${row.baseDomain}, ${layoutName[row.layout]}`,
      `  ${row.signedIn ? `Signed in as ${row.clientId}, ${left}${renewal}` : 'Not signed in. Run npx setup.'}`,
      `  Control plane      ${row.controlPlaneUrl}`,
      ...(row.observerUrl ? [`  Observer           ${row.observerUrl}`] : []),
      `  Identity provider  ${row.authUrl}`,
    ];
    terminal.stdout.write(`${lines.join('\n')}\n`);
  }
};
