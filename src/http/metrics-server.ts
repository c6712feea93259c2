import { createServer } from 'node:http';
import { GUARDS } from './headers.ts';
import { listen, urlOf } from './listening.ts';

/** What a scrape is answered with. */
export interface Page {
  readonly type: string;
  text(): Promise<string>;
}

export interface MetricsServer {
  readonly url: string;
  /** Cuts what is open. */
  close(): void;
}

/** A scrape that does not arrive in this time is cut, in ms. */
const PATIENCE_MS = 10_000;

/** Serves a page at /metrics, and nothing else, on an address of its own that the operator alone opens. */
export async function serveMetrics(page: Page, { host, port }: { host: string; port: number }): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: PATIENCE_MS }, async ({ method, url }, response) => {
    const [status, type, text] = await answerTo(page, method, url);
    response.writeHead(status, { ...GUARDS, 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
    response.end(method === 'HEAD' ? undefined : text);
  });
  await listen(server, { host, port, options: '--metrics-host and --metrics-port' });
  return {
    url: `${urlOf(server)}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PLAIN = 'text/plain; charset=utf-8';

async function answerTo(page: Page, method = '', url = ''): Promise<[status: number, type: string, text: string]> {
  if (url.replace(/\?.*$/, '') !== '/metrics') return [404, PLAIN, 'The metrics stand at /metrics.\n'];
  if (method !== 'GET' && method !== 'HEAD') return [405, PLAIN, 'GET reads the metrics.\n'];
  return page.text().then(
    (text) => [200, page.type, text],
    () => [500, PLAIN, 'The metrics could not be gathered.\n'],
  );
}
