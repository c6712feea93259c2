import { say, verbatim } from '../../domain/text/say.ts';
import { AcequiaError, plainInputError, storeUnavailableError } from '../../schema/error.ts';
import { openStore, type Store } from '../../store/store.ts';
import { isMissingFile } from '../../store/store-location.ts';
import { type LogLevel, lazyLog } from './log.ts';
import { printError } from './output.ts';
import { StopSignals } from './stop-signals.ts';

export const EXIT = { done: 0, failed: 1, wrongUsage: 2 } as const;

/** `field` is the option or argument that is wrong. */
export const usageError = (message: string, hint: string, field: string): AcequiaError =>
  plainInputError('invalid_parameter', message, { hint, field });

export const formatRefusal = ({ message, hint }: AcequiaError): string =>
  `${message}\n${hint ? `${hint}\n` : ''}`;

const isAboutOption = ({ code, field }: AcequiaError): boolean =>
  code === 'invalid_parameter' && field !== undefined;

/** Returns the exit code. Throws an error that is no refusal. */
export function reportRefusal(
  error: unknown,
  isWrongUsage: (error: AcequiaError) => boolean = isAboutOption,
): number {
  if (!(error instanceof AcequiaError)) throw error;
  printError(formatRefusal(error));
  return isWrongUsage(error) ? EXIT.wrongUsage : EXIT.failed;
}

export async function withStopSignal<Result>(
  body: (stopping: AbortController) => Promise<Result>,
): Promise<Result> {
  const signals = new StopSignals(['SIGINT', 'SIGTERM']);
  signals.watchInThread();
  const stopping = new AbortController();
  signals.first.addEventListener('abort', () => stopping.abort());
  try {
    return await body(stopping);
  } finally {
    signals.removeListeners();
  }
}

interface StoppableCommand {
  readonly logLevel: LogLevel;
  /** "The export", in the text of a failure. */
  readonly name: string;
  /** What a person reads after a stop and after a failure. */
  readonly afterStop: string;
  readonly afterFailure?: string;
}

/** Runs a command that a signal stops, reports how else it failed, and returns the exit code. */
export const runStoppable = (
  { logLevel, name, afterStop, afterFailure = '' }: StoppableCommand,
  body: (signal: AbortSignal) => Promise<number>,
): Promise<number> =>
  withStopSignal(async ({ signal }) => {
    try {
      return await body(signal);
    } catch (error) {
      if (error instanceof AcequiaError) return reportRefusal(error);
      if (signal.aborted) printError(`Stopped before it was finished. ${afterStop}\n`);
      else {
        const reference = await lazyLog(logLevel).unexpectedError(error);
        const failure = `${name} failed unexpectedly; the log has the details under ${reference}.`;
        printError(`${[failure, afterFailure].filter(Boolean).join(' ')}\n`);
      }
      return EXIT.failed;
    }
  });

export const onceAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export function assertStoreExists(db: string): void {
  if (isMissingFile(db))
    throw storeUnavailableError(
      say`There is no store ${verbatim(db)}.`,
      say`Make one with "acequia init", "acequia import farm.json" or "acequia demo", or name its file with --db or ACEQUIA_DB.`,
    );
}

export async function openExistingStore(db: string): Promise<Store> {
  assertStoreExists(db);
  return openStore({ db });
}
