import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { afterTest } from '../../cleanup.ts';
import { portForRestarts } from '../program.ts';

export interface TestBroker {
  readonly port: number;
  readonly url: string;
  /** User and password of each connection, if the broker wants them. */
  readonly logins: readonly string[];
  /** Resolves when the broker has stored the message for offline sessions too. */
  publish(topic: string, payload: unknown): Promise<void>;
  unacknowledged(clientId: string): Promise<number>;
  /** Cuts all connections and refuses new ones; sessions and messages are kept. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function startTestBroker(
  secrets?: readonly [user: string, password: string],
): Promise<TestBroker> {
  const aedes = await Aedes.createBroker();
  const logins: string[] = [];
  if (secrets)
    aedes.authenticate = (_, user, password, done) => {
      const login = `${user} ${password}`;
      logins.push(login);
      done(null, login === secrets.join(' '));
    };
  // The types of aedes leave out its persistence.
  const internals = aedes as unknown as {
    persistence: { outgoingStream(of: { id: string }): AsyncIterable<unknown> };
  };
  const sockets = new Set<Socket>();
  const port = await portForRestarts();
  let server: Server;

  const up = async (): Promise<void> => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
      aedes.handle(socket);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const down = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await up();
  afterTest(async () => {
    if (server.listening) await down();
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
  });
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    logins,
    publish: (topic, payload) =>
      new Promise((resolve, reject) => {
        const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
        const packet = {
          cmd: 'publish',
          qos: 1,
          dup: false,
          retain: false,
          topic,
          payload: text,
        } as const;
        aedes.publish(packet, (error) => (error ? reject(error) : resolve()));
      }),
    async unacknowledged(clientId) {
      let count = 0;
      for await (const _ of internals.persistence.outgoingStream({ id: clientId })) count++;
      return count;
    },
    down,
    up,
  };
}
