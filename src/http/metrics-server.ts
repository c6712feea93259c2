import { createServer } from 'node:http';
import type { CallListener } from '../observe/listener.ts';
import { openMetrics, registerStoreGauges } from '../observe/metrics.ts';
import type { Store } from '../store/store.ts';
import { hasBody } from './body/request-body.ts';
import { listen, serverUrl } from './listen.ts';
import { SECURITY_HEADERS } from './reply.ts';

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
  const page: MetricsPage = {
    type: registry.contentType,
    async text() {
      await refresh();
      return registry.metrics();
    },
  };

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
  const server = createServer({ requestTimeout: SCRAPE_TIMEOUT_MS }, async (request, response) => {
    // The body stays unread, so the connection cannot carry another request.
    if (hasBody(request)) response.shouldKeepAlive = false;
    const { method, url } = request;
    const { status, type, text } = await respondTo(page, method, url);
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

interface MetricsResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const plainResponse = (status: number, sentence: string): MetricsResponse => ({
  status,
  type: PLAIN_TEXT,
  text: `${sentence}\n`,
});

async function respondTo(page: MetricsPage, method = '', url = ''): Promise<MetricsResponse> {
  const [path] = url.split('?', 1);
  if (path !== '/metrics') return plainResponse(404, 'Metrics are at /metrics.');
  if (method !== 'GET' && method !== 'HEAD') return plainResponse(405, 'Use GET to read metrics.');

  try {
    return { status: 200, type: page.type, text: await page.text() };
  } catch {
    return plainResponse(500, 'Metrics could not be collected.');
  }
}
