import { type Catalog, filterCatalog, subscribableUri } from '../../mcp/catalog.ts';
import { Subscriptions, type WatchResource } from '../../mcp/listening/subscriptions.ts';
import { createMcpServer, type McpServerOptions } from '../../mcp/server.ts';
import { StdioTransport, serveOverStdio } from '../../mcp/stdio/stdio.ts';
import { CheckedListeningTransport } from '../../mcp/stdio/stdio-listening.ts';
import { isMissingFile, redactedLocation } from '../../store/store-location.ts';
import { startJobTimer } from '../process/job-timer.ts';
import { type Log, lazyLog, toLoggableError } from '../process/log.ts';
import { readCatalog } from '../process/request-handlers.ts';
import type { Settings } from '../process/settings.ts';
import { StopSignals } from '../process/stop-signals.ts';
import { StdioBackend } from './stdio-backend.ts';

export async function runStdio(settings: Settings): Promise<void> {
  const { db, remote, apiKey, toolFilter } = settings;
  const isRemote = remote !== null;
  const log = lazyLog(settings.logLevel);
  const stopping = new StopSignals();
  const backend = new StdioBackend(settings, log, () => stopping.watchInThread());
  const transport = new StdioTransport(process.stdin, process.stdout);
  const catalog = readCatalog();
  const newSubscriptions = subscriptionsFactory(settings, catalog, backend);
  // The transport of the modern protocol checks its subscriptions too.
  const modernSubscriptions = newSubscriptions();

  const createServer = ({ era }: Pick<McpServerOptions, 'era'>) =>
    createMcpServer(catalog, backend.handlers, {
      era,
      isRemote,
      isRestricted: isRemote || apiKey !== null,
      toolFilter,
      isLongLived: true,
      inputEnded: transport.ended,
      subscriptions: era === 'modern' ? modernSubscriptions : newSubscriptions(),
    });

  const jobTimer = isRemote ? null : startJobs(db, backend, log);
  transport.onidle = async () => {
    await stdioServer.close();
    await jobTimer?.stop();
    await backend.close();
    process.exit(0);
  };
  stopping.first.addEventListener('abort', () => transport.end());

  const stdioServer = serveOverStdio(
    createServer,
    modernSubscriptions ? new CheckedListeningTransport(transport, modernSubscriptions) : transport,
    (error) =>
      void log.info({ reason: toLoggableError(error).message }, 'a message could not be parsed'),
  );

  void log.info(
    isRemote ? { remote } : { db: redactedLocation(db) },
    'serving MCP on standard input and output',
  );
}

/** The factory makes null if the tools on offer have nothing to subscribe to. */
function subscriptionsFactory(
  { db, remote, toolFilter }: Settings,
  catalog: Catalog,
  backend: StdioBackend,
): () => Subscriptions | null {
  const uri = remote === null ? subscribableUri(filterCatalog(catalog, toolFilter)) : null;

  const watch: WatchResource = async (watcher) => {
    if (isMissingFile(db)) throw new Error('A subscription alone does not create a store');
    const handlers = await backend.handlers();
    return handlers.watchFiringAlerts(watcher);
  };

  return () => (uri === null ? null : new Subscriptions({ uri, watch }));
}

function startJobs(db: string, backend: StdioBackend, log: Log) {
  // If the store cannot be opened, calls report why.
  const runJobs = async (signal: AbortSignal) =>
    (await backend.store().catch(() => null))?.jobs.runOnce(signal);

  return startJobTimer(db, runJobs, log.unexpectedError);
}
