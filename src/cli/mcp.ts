import { existsSync, readFileSync } from 'node:fs';
import type { Answers } from '../mcp/answers.ts';
import type { Catalog } from '../mcp/catalog.ts';
import { createServer } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { startKeeper } from './keeper.ts';
import { type Log, lazyLog } from './log.ts';
import { type OpenTransport, transportOrNone } from './mail-way.ts';
import type { Settings } from './settings.ts';

/** The catalog that was rendered beside the program. */
const readCatalog = (): Catalog => JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8'));

/** Serves MCP on standard input and output until the input ends; what was asked is answered first. */
export async function serveStdio(settings: Settings): Promise<void> {
  const { db, remote, apiKey } = settings;
  const log = lazyLog(settings.logLevel);
  const openTransport = remote === null ? transportOrNone(log) : undefined;
  let opened: Promise<Answers> | undefined;
  /** What answers, and the operations, are loaded when first needed; after a failure the next call tries again. */
  const answers = (): Promise<Answers> => {
    opened ??= (remote === null ? openLocal(settings, openTransport, log) : openRemote(settings, remote, log)).catch(
      async (error) => {
        opened = undefined;
        const { answersWithoutStore } = await import('../mcp/answers.ts');
        return answersWithoutStore(error, log.failure);
      },
    );
    return opened;
  };

  const isRemote = remote !== null;
  const server = createServer(readCatalog(), answers, {
    isRemote,
    isNarrowed: isRemote || apiKey !== null,
    hasStore: () => !isRemote && existsSync(db),
  });
  server.onerror = (error) => void log.info({ reason: error.message }, 'a message was not understood');
  const transport = new StdioTransport(process.stdin, process.stdout);
  // A remote service keeps its own house.
  const keeper = isRemote ? null : startKeeper(db, async (signal) => (await answers()).keep(signal), log.failure);
  transport.onidle = async () => {
    await keeper?.stop();
    await (await opened)?.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => transport.end());
  await server.connect(transport);
  void log.info(isRemote ? { remote } : { db }, 'serving MCP on standard input and output');
}

async function openLocal(
  { db, clock, lang, mailLang, apiKey }: Settings,
  openTransport: OpenTransport | undefined,
  { failure: report }: Log,
): Promise<Answers> {
  const { openAnswers } = await import('../mcp/answers.ts');
  return openAnswers({ file: db, clock, lang, mailLang, apiKey, openTransport, report });
}

async function openRemote(
  { clock, lang, apiKey: key }: Settings,
  url: string,
  { failure: report }: Log,
): Promise<Answers> {
  const [{ answersBy }, { remotePerformer }, { operationsByName: operations }] = await Promise.all([
    import('../mcp/answers.ts'),
    import('../remote/remote-performer.ts'),
    import('../../tools/index.ts'),
  ]);
  return answersBy(remotePerformer({ url, key, operations, clock, lang }), report);
}
