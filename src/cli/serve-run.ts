import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { operationsByName } from '../../tools/index.ts';
import { createApp } from '../http/app.ts';
import type { AllowedHosts } from '../http/dns-rebinding-guard.ts';
import type { HttpLimits } from '../http/limits.ts';
import type { MetricsPort } from '../http/metrics-server.ts';
import type { OAuthOptions, OAuthResource } from '../http/oauth/oauth-resource.ts';
import { pageAccess } from '../http/page/page-access.ts';
import { createPageEvents } from '../http/page/page-events.ts';
import { type HttpServer, serveApp } from '../http/server.ts';
import { operatorReporter, storeForClients } from '../http/store-for-clients.ts';
import { McpOverHttp } from '../mcp/http/http-handler.ts';
import type { CompanyReads } from '../operation/local/operation-run.ts';
import { CompanyShares } from '../operation/reads/company-shares.ts';
import { LongReads, type RunLongRead, SHORT_READ_LIMITS } from '../operation/reads/long-reads.ts';
import type { ErrorReporter } from '../schema/error.ts';
import { createBackgroundJobs } from '../service/jobs/background-jobs.ts';
import { createUseRecorder } from '../service/keys/api-keys.ts';
import type { Store } from '../store/store.ts';
import { isPostgresUrl, redactedLocation } from '../store/store-location.ts';
import { loadMapFolder } from './ingest/map-options.ts';
import { onceAborted, openExistingStore, reportRefusal } from './process/command.ts';
import { forecastOpener, mailTransportOpener, startJobTimer } from './process/job-setup.ts';
import { type Log, lazyLog } from './process/log.ts';
import { openObservability } from './process/observability.ts';
import { print } from './process/output.ts';
import { readCatalog } from './process/request-handlers.ts';
import { defaultDb, type Settings } from './process/settings.ts';
import { READ_PLACES, ReadWorkers } from './reads/read-workers.ts';

interface ServeCommandOptions extends Omit<AllowedHosts, 'listenHost'> {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly oauth: OAuthSettings;
  /** Path of a folder. */
  readonly maps?: string | undefined;
}

export interface OAuthSettings extends Pick<OAuthOptions, 'audience' | 'preset'> {
  /** Null if access tokens are not accepted. */
  readonly issuer: URL | null;
  /** If null, the address that the service listens on. */
  readonly publicUrl: URL | null;
}

const SHUTDOWN_TIMEOUT_MS = 10_000;

/**
 * Serves REST and MCP until a signal arrives; open requests are answered first. Returns the exit
 * code: 1 if the service could not start, or had to interrupt a request.
 */
export async function runServe(options: ServeCommandOptions, settings: Settings): Promise<number> {
  const log = lazyLog(settings.logLevel);
  const stopping = stopSignals();
  try {
    return await serve(options, settings, { log, stopping });
  } catch (error) {
    return reportRefusal(error, () => false);
  } finally {
    stopping.removeListeners();
  }
}

async function serve(
  options: ServeCommandOptions,
  { db, clock, lang, toolFilter }: Settings,
  { log, stopping }: { log: Log; stopping: StopSignals },
): Promise<number> {
  const maps = await loadMapFolder(options.maps);
  const store = await openExistingStore(db);
  const metrics = await openMetricsIfConfigured(options.metrics, { store, clock }).catch(
    async (error) => {
      await store.close();
      throw error;
    },
  );
  const { observer, end } = await openObservability(log, metrics ? [metrics.listener] : []);

  const keyUses = createUseRecorder('api_keys', store, clock, log.unexpectedError);
  const sessionUses = createUseRecorder('sessions', store, clock, log.unexpectedError);
  const openTransport = mailTransportOpener(log);
  const openForecast = forecastOpener(log);
  const workers = new ReadWorkers(new URL('./read-worker.js', import.meta.url), { db });
  const jobs = createBackgroundJobs({
    store,
    clock,
    openTransport,
    openForecast,
    report: log.unexpectedError,
    observer,
  });
  try {
    const clientStore = storeForClients(store, log.unexpectedError);
    const reads = companyReads(workers, log.unexpectedError);
    let publicUrl = options.oauth.publicUrl;
    const oauth = await openOAuthIfConfigured(options.oauth, { log, publicUrl: () => publicUrl! });
    const mcp = new McpOverHttp({
      catalog: readCatalog(),
      store: clientStore,
      clock,
      lang,
      toolFilter,
      report: log.unexpectedError,
      onReadings: jobs.evaluateAlerts,
      pageUrl: () => publicUrl,
      reads,
      observer,
    });

    const allowedHosts: AllowedHosts = {
      listenHost: options.host,
      allowedHosts: [
        ...options.allowedHosts,
        ...(options.oauth.publicUrl ? [options.oauth.publicUrl.host] : []),
      ],
      allowedOrigins: options.allowedOrigins,
    };
    const access = pageAccess({
      allowedHosts,
      publicUrl: options.oauth.publicUrl,
      clock,
      onSessionUse: sessionUses.record,
    });

    const events = createPageEvents(clientStore);
    const app = createApp({
      store: clientStore,
      operations: operationsByName,
      clock,
      lang,
      limits: options.limits,
      maps,
      report: log.unexpectedError,
      onKeyUse: keyUses.record,
      onReadings: jobs.evaluateAlerts,
      pageUrl: () => publicUrl,
      reads,
      observer,
      oauth,
      openApiDocument: readFileSync(new URL('./openapi.json', import.meta.url), 'utf8'),
      mcp: { handler: mcp, allowedHosts },
      page: { folder: new URL('./', import.meta.url), access, events },
      apiPage: new URL('./api-page/', import.meta.url),
    });

    const httpServer = await serveApp(app, options);
    publicUrl ??= new URL(httpServer.url);

    const jobTimer = startJobTimer(db, jobs.runOnce, log.unexpectedError);
    print(`Serving on ${httpServer.url}/v1\nMCP on ${httpServer.url}/mcp\n`);
    print(
      `Page on ${(options.oauth.publicUrl ?? new URL(httpServer.url)).origin}; ${signInAdvice(db, options.oauth.publicUrl, new URL(httpServer.url))}\n`,
    );
    if (metrics) print(`Metrics on ${metrics.server.url}\n`);
    void log.info({ url: httpServer.url, db: redactedLocation(db) }, 'serving REST and MCP');
    await onceAborted(stopping.first);
    events.close();
    reads.long.stop();

    const [isGraceful] = await Promise.all([
      stopServer(httpServer, stopping),
      jobTimer.stop(),
      mcp.close(),
    ]);

    return isGraceful ? 0 : 1;
  } finally {
    await jobs.close();
    await keyUses.close();
    await sessionUses.close();
    metrics?.server.close();
    await workers.close();
    await store.close();
    await end();
  }
}

async function openMetricsIfConfigured(
  address: ServeCommandOptions['metrics'],
  source: { readonly store: Store; readonly clock: () => number },
): Promise<MetricsPort | null> {
  if (address === null) return null;
  const { openMetricsPort } = await import('../http/metrics-server.ts');
  return openMetricsPort(ACEQUIA_VERSION, address, source);
}

async function openOAuthIfConfigured(
  { issuer, audience, preset }: OAuthSettings,
  { log, publicUrl }: { log: Log; publicUrl: () => URL },
): Promise<OAuthResource | null> {
  if (issuer === null) return null;
  const module = await import('../http/oauth/oauth-resource.ts');
  return new module.OAuthResource({ issuer, audience, preset, publicUrl }, (reason) =>
    log.warn({ issuer: issuer.href }, `the identity provider cannot be used: ${reason}`),
  );
}

async function stopServer(httpServer: HttpServer, stopping: StopSignals): Promise<boolean> {
  const stopped = httpServer.stop().then(() => true);
  const timeout = new AbortController();
  const timedOut = pause(SHUTDOWN_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  const isGraceful = await Promise.race([
    stopped,
    timedOut,
    onceAborted(stopping.second).then(() => false),
  ]);

  timeout.abort();
  if (!isGraceful) httpServer.closeAllConnections();
  await stopped;

  return isGraceful;
}

/** The first signal asks for a graceful end, the second for an immediate one. */
interface StopSignals {
  readonly first: AbortSignal;
  readonly second: AbortSignal;
  removeListeners(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function stopSignals(): StopSignals {
  const first = new AbortController();
  const second = new AbortController();
  const onSignal = (): void => (first.signal.aborted ? second : first).abort();

  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    first: first.signal,
    second: second.signal,
    removeListeners() {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}

/**
 * Adds the options that "acequia keys link" needs. The address of a database is not shown, because
 * it may hold a password.
 */
function signInAdvice(db: string, publicUrl: URL | null, { hostname, port }: URL): string {
  const isDefaultAddress = hostname === '127.0.0.1' && port === '8383';
  const addressOptions = isDefaultAddress ? [] : ['--host', hostname, '--port', port];
  const words = [
    'acequia keys link',
    ...(db === defaultDb() ? [] : ['--db', isPostgresUrl(db) ? 'ADDRESS' : db]),
    ...(publicUrl ? ['--public-url', publicUrl.origin] : addressOptions),
  ];
  return `"${words.join(' ')}" prints a link to sign in`;
}

declare const ACEQUIA_VERSION: string;

function companyReads(workers: ReadWorkers, report: ErrorReporter): CompanyReads {
  const reportToOperator = operatorReporter(report);
  const runLongRead: RunLongRead = (read, signal) =>
    workers.run(read, signal).catch(reportToOperator);
  return {
    short: new CompanyShares(SHORT_READ_LIMITS),
    long: new LongReads(runLongRead, { places: READ_PLACES }),
  };
}
