import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Lang } from '../../domain/lang.ts';
import type { Store } from '../../store/store.ts';
import { csvLines } from './csv/csv-lines.ts';
import { type CsvOptionNames, type CsvOptions, type CsvUnderstanding, createCsvReader } from './csv/csv-reader.ts';
import { createReadingBatchWriter } from './reading-batches.ts';
import { createCsvRejects, type RejectionReport } from './rejected-rows.ts';
import { loadSensorIndex } from './sensor-index.ts';

/** While a batch is being written, its next statement waits until these rows are read. */
const ROWS_PER_TURN = 250;

const CLI_OPTION_NAMES: CsvOptionNames = { module: '--module', map: '--map', dates: '--dates' };

export interface ImportReadingsOptions extends CsvOptions {
  readonly store: Store;
  readonly companyId: number;
  readonly zone: string;
  readonly now: number;
  readonly rejects?: ((text: string) => Promise<void>) | undefined;
  /** The language of the reasons in the rejects file. */
  readonly lang?: Lang | undefined;
  readonly onProgress?: ((progress: { rows: number; readings: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadingsReport extends RejectionReport, CsvUnderstanding {
  readonly rows: number;
  readonly kept: number;
  readonly repeats: number;
  /** Codes of failed measurements. */
  readonly missing: number;
  readonly sensors: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly isStopped: boolean;
}

/** Importing the same file again changes nothing. */
export async function importReadings(
  chunks: AsyncIterable<Uint8Array | string>,
  { store, companyId, zone, now, signal, ...options }: ImportReadingsOptions,
): Promise<ReadingsReport> {
  const index = await store.read(companyId, loadSensorIndex);
  const reportProgress = (): void => options.onProgress?.({ rows: file.rows, readings: batches.writtenCount });
  const batches = createReadingBatchWriter(store, companyId, reportProgress);
  const rejects = createCsvRejects(options.rejects, options.lang ?? 'en');
  const sink = { add: batches.add, reject: rejects.add };
  const file = createCsvReader(options, CLI_OPTION_NAMES, { index, zone, now }, sink, rejects.begin);

  const readLines = async (lines: readonly string[]): Promise<void> => {
    let rows = 0;
    for (const text of lines) {
      if (signal?.aborted) return;
      file.readLine(text);
      if (batches.isFull) await batches.write();
      else if (++rows % ROWS_PER_TURN === 0 && batches.isWriting) await nextTurn();
    }
  };

  let isStopped = false;
  try {
    for await (const lines of csvLines(chunks)) {
      await readLines(lines);
      await rejects.flush();
      reportProgress();
      if (signal?.aborted) break;
    }
    isStopped = signal?.aborted ?? false;
    if (!isStopped) {
      file.end();
      await batches.write();
    }
  } finally {
    // However the import ends, nothing is written after it.
    await batches.settle();
  }
  await rejects.flush();
  return {
    ...rejects.report(),
    ...(file.understanding ?? { profile: null, zone, dates: null, columns: [], skippedColumns: [] }),
    rows: file.rows,
    kept: batches.writtenCount - batches.repeatCount,
    repeats: batches.repeatCount,
    missing: file.missing,
    sensors: batches.sensorCount,
    from: batches.from,
    to: batches.to,
    isStopped,
  };
}
