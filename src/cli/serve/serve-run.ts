import { setTimeout as pause } from 'node:timers/promises';
import type { AllowedHosts } from '../../http/admission/dns-rebinding-guard.ts';
import type { HttpLimits } from '../../http/http-limits.ts';
import type { HttpServer } from '../../http/server.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { loadMapFolder } from '../ingest/map-options.ts';
import { onceAborted, reportRefusal } from '../process/command.ts';
import { startJobTimer } from '../process/job-timer.ts';
import { type Log, lazyLog } from '../process/log.ts';
import { print } from '../process/output.ts';
import { type Settings, storeOption } from '../process/settings.ts';
import { StopSignals } from '../process/stop-signals.ts';
import { ResourceStack } from './resource-stack.ts';
import { type OAuthSettings, type RunningService, startService } from './running-service.ts';
import { type MetricsAddress, openParts, type ServiceParts } from './service-parts.ts';

interface ServeCommandOptions extends Omit<AllowedHosts, 'listenHost'> {
  readonly host: string;
  readonly port: number;
  readonly limits: HttpLimits;
  readonly trustedProxies: readonly string[];
  readonly metrics: MetricsAddress | null;
  readonly oauth: OAuthSettings;
  /** Path of a folder. */
  readonly maps?: string | undefined;
}

/** Earlier than the forced end, so that the rest can be closed. */
const SHUTDOWN_TIMEOUT_MS = 8_500;

/**
 * Serves REST and MCP until a signal arrives; open requests are answered first. Returns the exit
 * code: 1 if the service could not start, or had to interrupt a request.
 */
export async function runServe(options: ServeCommandOptions, settings: Settings): Promise<number> {
  const log = lazyLog(settings.logLevel);
  const stopping = new StopSignals();
  stopping.watchInThread();
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
  settings: Settings,
  { log, stopping }: { log: Log; stopping: StopSignals },
): Promise<number> {
  const maps = await loadMapFolder(options.maps);
  const resources = new ResourceStack();
  try {
    const parts = await openParts(options.metrics, settings, log, resources);
    const service = await startService({ ...options, maps }, settings, parts, log, resources);
    await parts.jobs.noteStart();
    await parts.jobs.retryMail();
    const jobTimer = startJobTimer(settings.db, parts.jobs.runOnce, log.unexpectedError);
    announce(service.server, { db: settings.db, publicUrl: options.oauth.publicUrl, parts });
    const facts = { url: service.server.url, db: redactedLocation(settings.db) };
    void log.info(facts, 'serving REST and MCP');

    await onceAborted(stopping.first);
    const isGraceful = await stop(service, parts, jobTimer, stopping);
    await parts.jobs.noteStop();

    return isGraceful ? 0 : 1;
  } finally {
    await resources.close();
  }
}

interface Announcement {
  readonly db: string;
  readonly publicUrl: URL | null;
  readonly parts: Pick<ServiceParts, 'metrics'>;
}

function announce({ url }: HttpServer, { db, publicUrl, parts: { metrics } }: Announcement): void {
  const listening = new URL(url);
  const page = publicUrl ?? listening;

  print(`Serving on ${url}/v1\nMCP on ${url}/mcp\n`);
  print(`Page on ${page.origin}; ${signInAdvice(db, publicUrl, listening)}\n`);
  if (metrics) print(`Metrics on ${metrics.server.url}\n`);
}

/** Adds the options that "acequia keys link" needs. */
function signInAdvice(db: string, publicUrl: URL | null, listening: URL): string {
  const words = [`acequia keys link${storeOption(db)}`];

  const { hostname, port } = listening;
  const isDefaultAddress = hostname === '127.0.0.1' && port === '8383';
  if (publicUrl) words.push('--public-url', publicUrl.origin);
  else if (!isDefaultAddress) words.push('--host', hostname, '--port', port);

  return `"${words.join(' ')}" prints a link to sign in`;
}

/** Returns whether every open request could be answered. */
async function stop(
  { server, mcp, events }: RunningService,
  { reads }: Pick<ServiceParts, 'reads'>,
  jobTimer: ReturnType<typeof startJobTimer>,
  stopping: StopSignals,
): Promise<boolean> {
  // Event streams never end by themselves, and long reads may outlast the shutdown.
  events.close();
  reads.long.stop();

  const [isGraceful] = await Promise.all([
    stopServer(server, stopping),
    jobTimer.stop(),
    mcp.close(),
  ]);

  return isGraceful;
}

async function stopServer(server: HttpServer, stopping: StopSignals): Promise<boolean> {
  const stopped = server.stop().then(() => true);
  const timeout = new AbortController();
  const timedOut = pause(SHUTDOWN_TIMEOUT_MS, false, { signal: timeout.signal }).catch(() => false);
  const isGraceful = await Promise.race([
    stopped,
    timedOut,
    onceAborted(stopping.second).then(() => false),
  ]);

  timeout.abort();
  if (!isGraceful) server.closeAllConnections();
  await stopped;

  return isGraceful;
}
