import { AcequiaError } from '../../schema/error.ts';
import { LEFT_OUT } from '../../schema/farm/folder-tables.ts';
import { type ImportMonitor, importFolder } from '../../service/farm/folder/folder-import.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { EXIT, reportRefusal, withStopSignal } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { formatBytes, formatTerminalCount, print, printError } from '../process/output.ts';
import type { Settings } from '../process/settings.ts';
import { assertNoOptionsOfFiles, type ImportOptions } from './import-usage.ts';
import { type ProgressDisplay, showProgress } from './progress-display.ts';

const STEPS = { check: 'checking', import: 'importing' } as const;

const NOTHING_WRITTEN = 'Nothing was written.';
const UNFINISHED =
  'The store is not complete, and nothing is served from it: run the same command again, which begins anew.';

export const runFolderImport = (
  folder: string,
  options: ImportOptions,
  { db, logLevel }: Pick<Settings, 'db' | 'logLevel'>,
): Promise<number> =>
  withStopSignal(async ({ signal }) => {
    const progress = new ImportProgress();
    try {
      assertNoOptionsOfFiles(options);
      const { company, exportedAt, files } = await importFolder(folder, db, {
        ...progress.monitor,
        signal,
      });
      await progress.end();
      const rows = files.reduce((sum, file) => sum + (file.rows ?? 0), 0);
      print(
        [
          `${company.name}, as exported on ${exportedAt}, was imported into ${redactedLocation(db)}: ${formatTerminalCount(rows, 'row')}.`,
          `Not in the folder: ${LEFT_OUT}. Create new keys with "acequia keys create"; members sign in again.`,
          '',
        ].join('\n'),
      );
      return EXIT.done;
    } catch (error) {
      await progress.end();
      const state = progress.hasWritten ? `${UNFINISHED}\n` : '';
      if (error instanceof AcequiaError) {
        const code = reportRefusal(error);
        printError(state);
        return code;
      }
      printError(
        signal.aborted
          ? `Stopped before it was finished. ${state || `${NOTHING_WRITTEN}\n`}`
          : `The import failed unexpectedly; the log has the details under ${await lazyLog(logLevel).unexpectedError(error)}.\n${state}`,
      );
      return EXIT.failed;
    }
  });

class ImportProgress {
  #display: Promise<ProgressDisplay> | undefined;
  hasWritten = false;

  readonly monitor: Pick<ImportMonitor, 'onStep' | 'onBytes'> = {
    onStep: (step, bytes) => {
      this.hasWritten = step === 'import';
      const previousEnded = this.end();
      const formatShare = (completed: number, size: number): string =>
        `${formatBytes(completed)} of ${formatBytes(size)}`;
      this.#display = previousEnded.then(() =>
        showProgress(process.stderr, { name: STEPS[step], size: bytes, formatShare }),
      );
    },
    onBytes: (count) => {
      void this.#display?.then((display) => {
        display.advance(count);
        display.update('');
      });
    },
  };

  async end(): Promise<void> {
    (await this.#display)?.end();
  }
}
