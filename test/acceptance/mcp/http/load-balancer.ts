import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterTest } from '../../../cleanup.ts';

/**
 * Requests go to the services in turn, with headers added. An unreachable service gives 502; one
 * that ends during an answer cuts it.
 */
export async function loadBalancer(
  ports: readonly number[],
  added: Record<string, string> = {},
): Promise<URL> {
  let next = 0;
  const server = createServer((incoming, outgoing) => {
    const { url: path, method } = incoming;
    const port = ports[next++ % ports.length]!;
    const headers = { ...incoming.headers, ...added };
    const onward = request(
      { host: '127.0.0.1', port, path, method, headers, agent: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.on('error', () => outgoing.destroy()).pipe(outgoing);
      },
    );
    onward.on('error', () =>
      outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(),
    );
    outgoing.once('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterTest(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}
