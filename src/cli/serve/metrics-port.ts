import { type MetricsServer, serveMetrics } from '../../http/metrics-server.ts';
import type { CallListener } from '../../observe/listener.ts';
import { openMetrics, registerStoreGauges } from '../../observe/metrics.ts';

import type { Store } from '../../store/store.ts';

export interface MetricsPort {
  readonly listener: CallListener;
  readonly server: MetricsServer;
}

export async function openMetricsPort(
  place: { readonly host: string; readonly port: number },
  { store, clock }: { readonly store: Store; readonly clock: () => number },
): Promise<MetricsPort> {
  const { listener, registry } = openMetrics(ACEQUIA_VERSION);
  const refresh = registerStoreGauges(registry, store, clock);
  const page = {
    type: registry.contentType,
    async text() {
      await refresh();
      return registry.metrics();
    },
  };
  return { listener, server: await serveMetrics(page, place) };
}

declare const ACEQUIA_VERSION: string;
