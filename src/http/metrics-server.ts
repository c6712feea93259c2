import { createServer } from 'node:http';
import { listen, serverUrl } from './listen-address.ts';
import { SECURITY_HEADERS } from './response-headers.ts';

export interface MetricsPage {
  readonly type: string;
  text(): Promise<string>;
}

export interface MetricsServer {
  readonly url: string;
  close(): void;
}

const SCRAPE_TIMEOUT_MS = 10_000;

/** Serves /metrics alone, without a key, on an address of its own that the operator opens. */
export async function serveMetrics(
  page: MetricsPage,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: SCRAPE_TIMEOUT_MS }, async ({ method, url }, response) => {
    const [status, type, text] = await respondTo(page, method, url);
    response.writeHead(status, {
      ...SECURITY_HEADERS,
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(method === 'HEAD' ? undefined : text);
  });
  await listen(server, { host, port, options: '--metrics-host and --metrics-port' });
  return {
    url: `${serverUrl(server)}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PLAIN_TEXT = 'text/plain; charset=utf-8';

async function respondTo(
  page: MetricsPage,
  method = '',
  url = '',
): Promise<[status: number, type: string, text: string]> {
  if (url.replace(/\?.*$/, '') !== '/metrics') return [404, PLAIN_TEXT, 'Metrics are at /metrics.\n'];
  if (method !== 'GET' && method !== 'HEAD') return [405, PLAIN_TEXT, 'Use GET to read metrics.\n'];
  return page.text().then(
    (text) => [200, page.type, text],
    () => [500, PLAIN_TEXT, 'Metrics could not be collected.\n'],
  );
}
