import { expect } from 'vitest';
import { startObservedService, startTraceCollector, type TraceCollector } from './observed-service.ts';

export const exporterEnv = ({ url }: Pick<TraceCollector, 'url'>) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

/** Longer than the flush at the end, shorter than the exporter's own timeout (10 s). */
export const SOON_MS = 9_000;

/** A collector that answers with a status, or never, changes no answer and does not delay shutdown. */
export async function expectNoEffect(status: number | null): Promise<void> {
  const { url, requestCount } = await startTraceCollector(status);
  const { get, stop } = await startObservedService(exporterEnv({ url }));
  for (let count = 0; count < 5; count++) expect((await get('/company')).status).toBe(200);
  await expect.poll(requestCount).toBeGreaterThan(0);
  const begun = performance.now();
  expect((await stop()).code).toBe(0);
  expect(performance.now() - begun).toBeLessThan(SOON_MS);
}
