import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Aedes } from 'aedes';
import { onTestFinished } from 'vitest';

/** A broker at a port of this machine, for one test. */
export interface TestBroker {
  readonly port: number;
  readonly url: string;
  /** Resolves when the broker has taken the message, for those too who are not connected. */
  publish(topic: string, payload: unknown): Promise<void>;
  /** Messages that wait for the acknowledgement of a session. */
  unacknowledged(clientId: string): Promise<number>;
  /** Cuts every connection and takes none, as a broker that restarts; what it keeps stays. */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** `secrets` are the user and the password that it asks for. */
export async function startTestBroker(secrets?: readonly [user: string, password: string]): Promise<TestBroker> {
  const aedes = await Aedes.createBroker();
  if (secrets)
    aedes.authenticate = (_, user, password, done) =>
      done(null, user === secrets[0] && password?.toString() === secrets[1]);
  // Its types leave out where it keeps messages.
  const internals = aedes as unknown as { persistence: { outgoingStream(of: { id: string }): AsyncIterable<unknown> } };
  const sockets = new Set<Socket>();
  let server = serving();
  let port = 0;

  function serving() {
    return createServer((socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
      aedes.handle(socket);
    });
  }
  const up = async (): Promise<void> => {
    server = serving();
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as { port: number }).port;
  };
  const down = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await up();
  onTestFinished(async () => {
    if (server.listening) await down();
    await new Promise<void>((resolve) => aedes.close(() => resolve()));
  });
  return {
    get port() {
      return port;
    },
    get url() {
      return `mqtt://127.0.0.1:${port}`;
    },
    publish: (topic, payload) =>
      new Promise((resolve, reject) => {
        const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
        const packet = { cmd: 'publish', qos: 1, dup: false, retain: false, topic, payload: text } as const;
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
