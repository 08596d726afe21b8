import {createServer} from 'node:net';
import {expect, test} from 'vitest';
import {findPortHolder} from '../../../src/ports/browser/port-holder.ts';
import {createProcesses} from '../../../src/ports/processes/node-processes.ts';

test.runIf(process.platform === 'linux')('the holder of a port is named; a free port has none', async () => {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as {port: number};
  expect(await findPortHolder(port, createProcesses({}))).toMatchObject({pid: process.pid});
  await new Promise(resolve => server.close(resolve));
  expect(await findPortHolder(port, createProcesses({}))).toBeUndefined();
});
