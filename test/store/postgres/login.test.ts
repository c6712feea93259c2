import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openReaders, withClient } from '../../../src/store/postgres/pool.ts';
import { waitUntil } from '../../acceptance/program.ts';
import { afterTest } from '../../cleanup.ts';

/** Source: PostgreSQL, message formats, AuthenticationSASL and AuthenticationSASLContinue. */
const authentication = (step: number, data: string): Buffer => {
  const message = Buffer.alloc(9 + data.length);
  message.write('R');
  message.writeInt32BE(8 + data.length, 1);
  message.writeInt32BE(step, 5);
  message.write(data, 9);
  return message;
};
const STEPS = [authentication(10, 'SCRAM-SHA-256\0\0'), authentication(11, 'r=x,s=eA==,i=4096')];

it.each([
  ['of a pool', (url: string) => openReaders(url, 'farm', 1).connect()],
  ['alone', (url: string) => withClient(url, async () => undefined)],
])('a client %s that has no password closes its connection', async (_, connect) => {
  const sockets: Socket[] = [];
  // Closes no connection itself.
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    const steps = STEPS.values();
    socket.on('data', () => {
      const { value } = steps.next();
      if (value) socket.write(value);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const { port } = server.address() as AddressInfo;
  await expect(connect(`postgres://ana@127.0.0.1:${port}/farm`)).rejects.toThrow('password');
  await waitUntil(() => sockets.every(({ destroyed }) => destroyed));
});
