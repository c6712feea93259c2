import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterTest } from '../../../cleanup.ts';
import type { RestService } from '../../rest-service.ts';

const PORTAL = '<!doctype html><title>Hotel</title><p>Welcome to the hotel';
const PORTAL_ANSWER = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${PORTAL.length}\r\n\r\n${PORTAL}`;

/** The traffic that the network between the page and the service carries. */
export type Carries = 'everything' | 'nothing' | 'its own page';

/** Between a browser and the service, at the socket. */
export async function startProxy({ base }: Pick<RestService, 'base'>) {
  let carries: Carries = 'everything';
  let bytes = 0;
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const { port: servicePort, hostname } = new URL(base);

  const server = createServer((client) => {
    sockets.add(
      client.on('error', () => client.destroy()).on('close', () => sockets.delete(client)),
    );
    client.on('data', (data) => {
      const [line] = /^[A-Z]+ \S+/.exec(data.toString('latin1')) ?? [];
      if (line !== undefined) requests.push(line);
    });
    if (carries === 'nothing') return;
    if (carries === 'its own page') {
      client.on('data', () => client.write(PORTAL_ANSWER));
      return;
    }
    const upstream = connect(Number(servicePort), hostname).on('error', () => client.destroy());
    upstream.on('data', (data) => {
      bytes += data.length;
    });
    client.on('close', () => upstream.destroy()).pipe(upstream);
    upstream.on('close', () => client.destroy()).pipe(client);
  });
  const dropAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterTest(() => {
    dropAll();
    server.close();
  });
  return {
    home: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    /** The bytes from the service to the browser, with the headers. */
    bytes: () => bytes,
    carry(what: Carries): void {
      carries = what;
      dropAll();
    },
  };
}
