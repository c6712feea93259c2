import { createServer } from 'node:http';
import type { CallListener } from '../observe/listener.ts';
import { openMetrics, registerStoreGauges } from '../observe/metrics.ts';
import type { Store } from '../store/store.ts';
import { SECURITY_HEADERS } from './reply.ts';
import { listen, serverUrl } from './server.ts';

export interface MetricsPort {
  readonly listener: CallListener;
  readonly server: { readonly url: string; close(): void };
}

interface Address {
  readonly host: string;
  readonly port: number;
}

export async function openMetricsPort(
  version: string,
  address: Address,
  { store, clock }: { readonly store: Store; readonly clock: () => number },
): Promise<MetricsPort> {
  const { listener, registry } = openMetrics(version);
  const refresh = registerStoreGauges(registry, store, clock);
  const page = { type: registry.contentType, text: () => refresh().then(() => registry.metrics()) };
  return { listener, server: await serveMetrics(page, address) };
}

interface MetricsPage {
  readonly type: string;
  text(): Promise<string>;
}

const SCRAPE_TIMEOUT_MS = 10_000;

/** Serves only /metrics, without a key, on a separate address that the operator chooses. */
async function serveMetrics(
  page: MetricsPage,
  { host, port }: Address,
): Promise<MetricsPort['server']> {
  const server = createServer(
    { requestTimeout: SCRAPE_TIMEOUT_MS },
    async ({ method, url }, response) => {
      const [status, type, text] = await respondTo(page, method, url);
      response.writeHead(status, {
        ...SECURITY_HEADERS,
        'Content-Type': type,
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(method === 'HEAD' ? undefined : text);
    },
  );
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
  if (url.replace(/\?.*$/, '') !== '/metrics')
    return [404, PLAIN_TEXT, 'Metrics are at /metrics.\n'];
  if (method !== 'GET' && method !== 'HEAD') return [405, PLAIN_TEXT, 'Use GET to read metrics.\n'];
  return page.text().then(
    (text) => [200, page.type, text],
    () => [500, PLAIN_TEXT, 'Metrics could not be collected.\n'],
  );
}
