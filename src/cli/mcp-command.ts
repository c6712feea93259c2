import type { Command } from 'commander';
import { filterCatalog, subscribableUri } from '../mcp/catalog.ts';
import { Subscriptions, type WatchResource } from '../mcp/listening/subscriptions.ts';
import type { RequestHandlers } from '../mcp/request-handlers.ts';
import { createMcpServer, type McpServerOptions } from '../mcp/server.ts';
import { StdioTransport, serveOverStdio } from '../mcp/stdio/stdio.ts';
import { withCheckedListening } from '../mcp/stdio/stdio-listening.ts';
import { isMissingFile, redactedLocation } from '../store/store-location.ts';
import { forecastOpener, mailTransportOpener, startJobTimer } from './process/job-setup.ts';
import { lazyLog, toLoggableError } from './process/log.ts';
import type { Observability } from './process/observability.ts';
import {
  type CallObservation,
  type LocalStore,
  openHandlers,
  openLocalStore,
  readCatalog,
  unavailableHandlers,
} from './process/request-handlers.ts';
import { addCommonOptions, readSettings, type Settings } from './process/settings.ts';

export function addMcpCommand(program: Command): void {
  addCommonOptions(program.command('mcp'))
    .description('serve MCP on standard input and output (the default command)')
    .action((_, command: Command) => serveStdio(readSettings(command)));
}

export async function serveStdio(settings: Settings): Promise<void> {
  const { db, remote, apiKey, toolFilter } = settings;
  const log = lazyLog(settings.logLevel);
  const background =
    remote === null
      ? { openTransport: mailTransportOpener(log), openForecast: forecastOpener(log) }
      : undefined;
  let observability: Promise<Observability> | undefined;

  const callObservation = async (): Promise<CallObservation> => {
    observability ??= import('./process/observability.ts').then(({ openObservability }) =>
      openObservability(log),
    );

    return {
      report: log.unexpectedError,
      observer: (await observability).observer,
      surface: 'stdio',
      onBasePathChange: (url) =>
        void log.warn({ remote, url }, 'the service is at another address: use this one'),
    };
  };

  let openedStore: Promise<LocalStore> | undefined;

  /** The first call or job opens it; after a failure, the next one tries again. */
  const localStore = (): Promise<LocalStore> => {
    openedStore ??= callObservation()
      .then((observation) => openLocalStore(settings, observation, background))
      .catch((error) => {
        openedStore = undefined;
        throw error;
      });
    return openedStore;
  };

  let openedHandlers: Promise<RequestHandlers> | undefined;

  /** Loads the operations with the first call; after a failure, the next call tries again. */
  const handlers = (): Promise<RequestHandlers> => {
    openedHandlers ??= callObservation().then((observation) =>
      openHandlers(settings, observation, localStore).catch((error) => {
        openedHandlers = undefined;
        return unavailableHandlers(error, observation);
      }),
    );
    return openedHandlers;
  };

  const isRemote = remote !== null;
  const transport = new StdioTransport(process.stdin, process.stdout);
  const catalog = readCatalog();
  const uri = isRemote ? null : subscribableUri(filterCatalog(catalog, toolFilter));

  const watch: WatchResource = async (watcher) => {
    if (isMissingFile(db)) throw new Error('A subscription alone does not create a store');
    return (await handlers()).watchFiringAlerts(watcher);
  };

  const newSubscriptions = () => (uri === null ? null : new Subscriptions({ uri, watch }));

  const listening = newSubscriptions();

  const createServer = ({ era }: Pick<McpServerOptions, 'era'>) =>
    createMcpServer(catalog, handlers, {
      era,
      isRemote,
      isRestricted: isRemote || apiKey !== null,
      toolFilter,
      isLongLived: true,
      inputEnded: transport.ended,
      subscriptions: era === 'modern' ? listening : newSubscriptions(),
    });

  // If the store cannot be opened, calls report why.
  const runJobs = async (signal: AbortSignal) =>
    (await localStore().catch(() => null))?.jobs.runOnce(signal);

  const jobTimer = isRemote ? null : startJobTimer(db, runJobs, log.unexpectedError);
  transport.onidle = async () => {
    await stdioServer.close();
    await jobTimer?.stop();
    await ((await openedHandlers) ?? (await openedStore))?.close();
    await (await observability)?.end();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => transport.end());
  const stdioServer = serveOverStdio(
    createServer,
    listening ? withCheckedListening(transport, listening) : transport,
    (error) =>
      void log.info({ reason: toLoggableError(error).message }, 'a message could not be parsed'),
  );

  void log.info(
    isRemote ? { remote } : { db: redactedLocation(db) },
    'serving MCP on standard input and output',
  );
}
