import type { RequestHandlers } from '../mcp/request-handlers.ts';
import { createMcpServer } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { isMissingFile, redactedLocation } from '../store/store-location.ts';
import { mailTransportOpener } from './mail/mail-transport.ts';
import { readCatalog } from './process/built-files.ts';
import { toLoggableError } from './process/error-format.ts';
import { startJobTimer } from './process/job-timer.ts';
import { lazyLog } from './process/log.ts';
import type { Observability } from './process/observability.ts';
import { type CallObservation, openHandlers, unavailableHandlers } from './process/request-handlers.ts';
import type { Settings } from './process/settings.ts';

/** Serves MCP on standard input and output until the input ends; what was asked is answered first. */
export async function serveStdio(settings: Settings): Promise<void> {
  const { db, remote, apiKey, toolFilter: reach } = settings;
  const log = lazyLog(settings.logLevel);
  const openTransport = remote === null ? mailTransportOpener(log) : undefined;
  let observability: Promise<Observability> | undefined;
  const callObservation = async (): Promise<CallObservation> => {
    observability ??= import('./process/observability.ts').then(({ openObservability }) => openObservability(log));
    return { report: log.failure, observer: (await observability).observer, surface: 'stdio' };
  };
  let opened: Promise<RequestHandlers> | undefined;
  /** What answers, and the operations, are loaded when first needed; after a failure the next call tries again. */
  const answers = (): Promise<RequestHandlers> => {
    opened ??= callObservation().then((observation) =>
      openHandlers(settings, observation, openTransport).catch((error) => {
        opened = undefined;
        return unavailableHandlers(error, observation);
      }),
    );
    return opened;
  };

  const isRemote = remote !== null;
  const transport = new StdioTransport(process.stdin, process.stdout);
  const server = createMcpServer(readCatalog(), answers, {
    isRemote,
    isRestricted: isRemote || apiKey !== null,
    toolFilter: reach,
    isLongLived: true,
    inputEnded: transport.ended,
    hasStore: () => !isRemote && !isMissingFile(db),
  });
  server.onerror = (error) => void log.info({ reason: toLoggableError(error).message }, 'a message was not understood');
  // A remote service keeps its own house.
  const jobTimer = isRemote
    ? null
    : startJobTimer(db, async (signal) => (await answers()).runBackgroundJobs(signal), log.failure);
  transport.onidle = async () => {
    await jobTimer?.stop();
    await (await opened)?.close();
    await (await observability)?.end();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => transport.end());
  await server.connect(transport);
  void log.info(isRemote ? { remote } : { db: redactedLocation(db) }, 'serving MCP on standard input and output');
}
