import { AcequiaError } from '../../schema/error.ts';
import {
  type CopyLocations,
  type CopyMonitor,
  compareStores,
  copyStore,
} from '../../store/copy/copy.ts';
import type { TableChecksum, TableDifference } from '../../store/copy/table-checksums.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { EXIT, formatRefusal, withStopSignal } from '../process/command.ts';
import { lazyLog } from '../process/log.ts';
import { formatTerminalCount, print, printError } from '../process/output.ts';
import { assertNotStoreFile } from '../process/output-file.ts';
import type { Settings } from '../process/settings.ts';
import { type ProgressDisplay, showProgress } from './progress-display.ts';

interface CopyDescription {
  readonly from: string;
  readonly to: string;
  readonly isCheck: boolean;
}

const SHOWN_CHECKSUM_DIGITS = 16;

const formatTableFigures = ({ rows, checksum }: TableChecksum): string =>
  `${formatTerminalCount(rows, 'row')}, ${checksum.slice(0, SHOWN_CHECKSUM_DIGITS)}`;

function formatCopyResult(
  figures: readonly TableChecksum[],
  { from, to, isCheck }: CopyDescription,
): string {
  const nonEmpty = figures.filter(({ rows }) => rows > 0);
  const total = nonEmpty.reduce((sum, { rows }) => sum + rows, 0);
  const width = Math.max(...nonEmpty.map(({ table }) => table.length), 0);

  return [
    isCheck
      ? `${from} and ${to} are equal: ${formatTerminalCount(total, 'row')} with the same checksums.`
      : `${from} was copied to ${to}: ${formatTerminalCount(total, 'row')}, verified with the same checksums.`,
    ...nonEmpty.map((each) => `  ${each.table.padEnd(width)}  ${formatTableFigures(each)}`),
    '',
  ].join('\n');
}

function formatDifferences(
  differing: readonly TableDifference[],
  { from, to, isCheck }: CopyDescription,
): string {
  return [
    `${from} and ${to} differ:`,
    ...differing.map(
      ({ table, source, target }) =>
        `  ${table}: ${formatTableFigures(source)} against ${formatTableFigures(target)}`,
    ),
    isCheck
      ? 'They also differ if either was written to after the copy: compare them before using either.'
      : 'Another program has written to the copy or to its source. Do not use the copy: run the same command again once that program has stopped.',
    '',
  ].join('\n');
}

const STEPS = { copy: 'copying', check: 'checking' } as const;

export const runCopy = (
  locations: CopyLocations,
  { isCheck }: { isCheck: boolean },
  { logLevel }: Pick<Settings, 'logLevel'>,
): Promise<number> =>
  withStopSignal(async ({ signal }) => {
    const progress = new CopyProgress();
    try {
      if (!isCheck) assertNotStoreFile(locations.to, '--to', [locations.from]);
      const monitor = { ...progress.monitor, signal };
      const { checksums, differences } = await (isCheck
        ? compareStores(locations, monitor)
        : copyStore(locations, monitor));

      await progress.end();
      const description = {
        from: redactedLocation(locations.from),
        to: redactedLocation(locations.to),
        isCheck,
      };
      if (differences.length > 0) printError(formatDifferences(differences, description));
      else print(formatCopyResult(checksums, description));

      return differences.length > 0 ? EXIT.failed : EXIT.done;
    } catch (error) {
      await progress.end();
      const canResume = progress.hasBegun && !isCheck;
      printError(await describeFailure(error, { isStopped: signal.aborted, canResume, logLevel }));
      return EXIT.failed;
    }
  });

interface FailureContext extends Pick<Settings, 'logLevel'> {
  readonly isStopped: boolean;
  readonly canResume: boolean;
}

async function describeFailure(
  error: unknown,
  { isStopped, canResume, logLevel }: FailureContext,
): Promise<string> {
  const resumeAdvice = canResume
    ? 'What was copied stays: run the same command again to resume.\n'
    : '';
  if (error instanceof AcequiaError) return `${formatRefusal(error)}${resumeAdvice}`;
  if (isStopped) return `Stopped before it was finished.\n${resumeAdvice}`;
  const reference = await lazyLog(logLevel).unexpectedError(error);
  return `The copy failed unexpectedly; the log has the details under ${reference}.\n${resumeAdvice}`;
}

class CopyProgress {
  #progress: Promise<ProgressDisplay> | undefined;

  get hasBegun(): boolean {
    return this.#progress !== undefined;
  }

  readonly monitor: Pick<CopyMonitor, 'onStep' | 'onRows'> = {
    onStep: (step, rows) => {
      const previousEnded = this.end();
      const formatShare = (completed: number, size: number): string =>
        `${completed.toLocaleString('en-US')} of ${formatTerminalCount(size, 'row')}`;
      this.#progress = previousEnded.then(() =>
        showProgress(process.stderr, { name: STEPS[step], size: rows, formatShare }),
      );
    },
    onRows: (count) => {
      void this.#progress?.then((progress) => {
        progress.advance(count);
        progress.update('');
      });
    },
  };

  async end(): Promise<void> {
    (await this.#progress)?.end();
  }
}
