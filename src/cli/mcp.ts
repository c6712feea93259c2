import type { Answers } from '../mcp/answers.ts';
import { createServer } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { isMissing, shownPlace } from '../store/address.ts';
import { startKeeper } from './keeper.ts';
import { lazyLog } from './log.ts';
import { transportOrNone } from './mail-way.ts';
import type { Observing } from './observing.ts';
import { answersWithout, type Hearing, openAnswersOf } from './open-answers.ts';
import { plainError } from './plain-error.ts';
import { readCatalog } from './read-catalog.ts';
import type { Settings } from './settings.ts';

/** Serves MCP on standard input and output until the input ends; what was asked is answered first. */
export async function serveStdio(settings: Settings): Promise<void> {
  const { db, remote, apiKey, reach } = settings;
  const log = lazyLog(settings.logLevel);
  const openTransport = remote === null ? transportOrNone(log) : undefined;
  let observing: Promise<Observing> | undefined;
  const hearing = async (): Promise<Hearing> => {
    observing ??= import('./observing.ts').then(({ openObserving }) => openObserving(log));
    return { report: log.failure, observer: (await observing).observer, surface: 'stdio' };
  };
  let opened: Promise<Answers> | undefined;
  /** What answers, and the operations, are loaded when first needed; after a failure the next call tries again. */
  const answers = (): Promise<Answers> => {
    opened ??= hearing().then((heard) =>
      openAnswersOf(settings, heard, openTransport).catch((error) => {
        opened = undefined;
        return answersWithout(error, heard);
      }),
    );
    return opened;
  };

  const isRemote = remote !== null;
  const transport = new StdioTransport(process.stdin, process.stdout);
  const server = createServer(readCatalog(), answers, {
    isRemote,
    isNarrowed: isRemote || apiKey !== null,
    reach,
    lasts: true,
    inputEnded: transport.ended,
    hasStore: () => !isRemote && !isMissing(db),
  });
  server.onerror = (error) => void log.info({ reason: plainError(error).message }, 'a message was not understood');
  // A remote service keeps its own house.
  const keeper = isRemote ? null : startKeeper(db, async (signal) => (await answers()).keep(signal), log.failure);
  transport.onidle = async () => {
    await keeper?.stop();
    await (await opened)?.close();
    await (await observing)?.end();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => transport.end());
  await server.connect(transport);
  void log.info(isRemote ? { remote } : { db: shownPlace(db) }, 'serving MCP on standard input and output');
}
