import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { operationsByName } from '../../tools/index.ts';
import { createApp } from '../http/app.ts';
import type { Limits } from '../http/limits.ts';
import { pageRoutes } from '../http/page.ts';
import type { Named } from '../http/rebinding.ts';
import { type Served, serveApp } from '../http/server.ts';
import { answersToPosts } from '../mcp/post.ts';
import { AcequiaError, storeUnavailable } from '../schema/error.ts';
import { keepingOf } from '../service/keeping.ts';
import { keyUses } from '../service/key-uses.ts';
import { isMissing, shownPlace } from '../store/address.ts';
import { openStore, type Store } from '../store/store.ts';
import { heard } from './heard.ts';
import { startKeeper } from './keeper.ts';
import { type Log, lazyLog } from './log.ts';
import { transportOrNone } from './mail-way.ts';
import type { ServedMetrics } from './metrics.ts';
import { openObserving } from './observing.ts';
import { print } from './output.ts';
import { readCatalog } from './read-catalog.ts';
import { sayRefusal } from './say-refusal.ts';
import type { Settings } from './settings.ts';
import { withPlaceUntold } from './untold-place.ts';

export interface ServeOptions extends Named {
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: Limits;
  /** Where figures are scraped; null for nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
}

/** How long open requests are waited for at the end, in ms. */
const PATIENCE_MS = 10_000;

/**
 * Serves the REST interface, and MCP beside it, until a signal comes; what was asked by then is answered first. Returns the
 * exit code: 1 when it cannot begin, or had to cut what would not end.
 */
export async function runServe(options: ServeOptions, settings: Settings): Promise<number> {
  const log = lazyLog(settings.logLevel);
  const stopping = stopSignals();
  try {
    return await serve(options, settings, { log, stopping });
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    process.stderr.write(sayRefusal(error));
    return 1;
  } finally {
    stopping.forget();
  }
}

async function serve(
  options: ServeOptions,
  { db, clock, lang, reach }: Settings,
  { log, stopping }: { log: Log; stopping: StopSignals },
): Promise<number> {
  if (isMissing(db))
    throw storeUnavailable(
      `There is no store ${db} to serve.`,
      'Make one with "acequia import farm.json" or "acequia demo", or name its file with --db or ACEQUIA_DB.',
    );
  const store = await openStore({ db });
  const metrics = await metricsOn(options.metrics, { store, clock }).catch(async (error) => {
    await store.close();
    throw error;
  });
  const { observer, end } = await openObserving(log, metrics ? [metrics.listener] : []);
  const uses = keyUses(store, clock, log.failure);
  const openTransport = transportOrNone(log);
  const keeping = keepingOf({ store, clock, lang, openTransport, report: log.failure, observer });
  try {
    const asked = withPlaceUntold(store, log.failure);
    const app = createApp({
      store: asked,
      operations: operationsByName,
      clock,
      lang,
      limits: options.limits,
      report: log.failure,
      onKeyUse: uses.note,
      onReadings: keeping.look,
      observer,
      document: readFileSync(new URL('./openapi.json', import.meta.url), 'utf8'),
      mcp: {
        answers: answersToPosts({
          catalog: readCatalog(),
          store: asked,
          clock,
          lang,
          reach,
          report: log.failure,
          observer,
        }),
        named: options,
      },
      pages: (to) => pageRoutes(to, new URL('./page/', import.meta.url)),
    });
    const served = await serveApp(app, options);
    const keeper = startKeeper(db, keeping.keep, log.failure);
    print(`Serving on ${served.url}/v1\nMCP on ${served.url}/mcp\n`);
    if (metrics) print(`Metrics on ${metrics.server.url}\n`);
    void log.info({ url: served.url, db: shownPlace(db) }, 'serving REST and MCP');
    await heard(stopping.first);
    const [isWhole] = await Promise.all([ended(served, stopping), keeper.stop()]);
    return isWhole ? 0 : 1;
  } finally {
    await keeping.ended();
    await uses.close();
    metrics?.server.close();
    await store.close();
    await end();
  }
}

/** The figures are gathered where somebody is to scrape them. */
async function metricsOn(
  place: ServeOptions['metrics'],
  of: { readonly store: Store; readonly clock: () => number },
): Promise<ServedMetrics | null> {
  if (place === null) return null;
  const { openMetricsPort } = await import('./metrics.ts');
  return openMetricsPort(place, of);
}

/** Whether every open request had its answer before patience or a second signal ended the wait. */
async function ended(served: Served, stopping: StopSignals): Promise<boolean> {
  const stopped = served.stop().then(() => true);
  const enough = new AbortController();
  const impatient = pause(PATIENCE_MS, false, { signal: enough.signal }).catch(() => false);
  const isWhole = await Promise.race([stopped, impatient, heard(stopping.second).then(() => false)]);
  enough.abort();
  if (!isWhole) served.cut();
  await stopped;
  return isWhole;
}

/** The first signal asks for an end, the second for one at once. */
interface StopSignals {
  readonly first: AbortSignal;
  readonly second: AbortSignal;
  forget(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function stopSignals(): StopSignals {
  const first = new AbortController();
  const second = new AbortController();
  const hear = (): void => (first.signal.aborted ? second : first).abort();
  for (const signal of SIGNALS) process.on(signal, hear);
  return {
    first: first.signal,
    second: second.signal,
    forget() {
      for (const signal of SIGNALS) process.off(signal, hear);
    },
  };
}
