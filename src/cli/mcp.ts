import { existsSync, readFileSync } from 'node:fs';
import type { Answers } from '../mcp/answers.ts';
import type { Catalog } from '../mcp/catalog.ts';
import { createServer } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { AcequiaError } from '../schema/error.ts';
import { startKeeper } from './keeper.ts';
import { type Log, lazyLog } from './log.ts';
import { type MailSettings, mailSettings } from './mail-settings.ts';
import type { Settings } from './settings.ts';

/** The catalog that was rendered beside the program. */
const readCatalog = (): Catalog => JSON.parse(readFileSync(new URL('./catalog.json', import.meta.url), 'utf8'));

/** Serves MCP on standard input and output until the input ends; what was asked is answered first. */
export async function serveStdio(settings: Settings): Promise<void> {
  const log = lazyLog(settings.logLevel);
  const mail = mailOrNone(log);
  let opened: Promise<Answers> | undefined;
  /** The store and the operations are loaded at the first call; after a failure the next call tries again. */
  const answers = (): Promise<Answers> => {
    opened ??= import('../mcp/answers.ts').then(({ openAnswers, answersWithoutStore }) =>
      openAnswers({
        file: settings.db,
        clock: settings.clock,
        lang: settings.lang,
        mailLang: settings.mailLang,
        openTransport: mail && (async () => (await import('./mailer.ts')).openMailer(mail)),
        report: log.failure,
      }).catch((error) => {
        opened = undefined;
        return answersWithoutStore(error, log.failure);
      }),
    );
    return opened;
  };

  const server = createServer(readCatalog(), answers, () => existsSync(settings.db));
  server.onerror = (error) => void log.info({ reason: error.message }, 'a message was not understood');
  const transport = new StdioTransport(process.stdin, process.stdout);
  const keeper = startKeeper(settings.db, async (signal) => (await answers()).keep(signal), log.failure);
  transport.onidle = async () => {
    await keeper.stop();
    await (await opened)?.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => transport.end());
  await server.connect(transport);
  void log.info({ db: settings.db }, 'serving MCP on standard input and output');
}

/** What is said of mail; where that is malformed, it is logged and mail waits: calls are answered all the same. */
function mailOrNone(log: Log): MailSettings | undefined {
  try {
    return mailSettings(process.env) ?? undefined;
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    void log.warn({ hint: error.hint }, `No mail is sent: ${error.message}`);
    return undefined;
  }
}
