import { type MetricsServer, serveMetrics } from '../http/metrics-server.ts';
import type { Listener } from '../observe/listener.ts';
import { openMetrics } from '../observe/metrics.ts';
import { storeGauges } from '../observe/store-gauges.ts';
import type { Store } from '../store/store.ts';

/** Figures of this process and of its store, on a port of their own. */
export interface ServedMetrics {
  readonly listener: Listener;
  readonly server: MetricsServer;
}

export async function openMetricsPort(
  place: { readonly host: string; readonly port: number },
  { store, clock }: { readonly store: Store; readonly clock: () => number },
): Promise<ServedMetrics> {
  const { listener, registry } = openMetrics(ACEQUIA_VERSION);
  const look = storeGauges(registry, store, clock);
  const page = {
    type: registry.contentType,
    async text() {
      await look();
      return registry.metrics();
    },
  };
  return { listener, server: await serveMetrics(page, place) };
}

declare const ACEQUIA_VERSION: string;
