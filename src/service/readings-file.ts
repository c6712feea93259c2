import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../store/store.ts';
import { csvLines } from './csv-lines.ts';
import { createReadingBatchWriter } from './readings-batch.ts';
import { createCsvReader, readCsvStart } from './readings-lines.ts';
import { createRejectLog, type RejectionReport } from './readings-rejects.ts';
import { createRowReader, type RowReader } from './readings-rows.ts';
import { loadSensorIndex } from './readings-sensors.ts';

/** Rows that are read in one go while a batch is being written, whose next statement may be waiting for its turn. */
const ROWS_PER_TURN = 250;

export interface ImportReadingsOptions {
  readonly store: Store;
  readonly companyId: number;
  /** Zone of times without an offset. */
  readonly zone: string;
  /** The module that a wide file is about: uid, name or id. */
  readonly module?: string | undefined;
  readonly now: number;
  /** Takes the rejected rows as CSV: the header, then each row as it stood with its line and reason appended. */
  readonly rejects?: ((text: string) => Promise<void>) | undefined;
  /** Called now and then with what was done so far. */
  readonly onProgress?: ((done: { rows: number; readings: number }) => void) | undefined;
  /** Stops the import; batches written by then stay. */
  readonly signal?: AbortSignal | undefined;
}

export interface ReadingsReport extends RejectionReport {
  readonly zone: string;
  /** Rows of data, without the header and blank lines. */
  readonly rows: number;
  /** Readings of this file that the store holds now, each sensor and instant once. */
  readonly kept: number;
  /** Readings whose sensor and instant the file gives more than once; the last one was kept. */
  readonly repeats: number;
  /** Columns of a wide file that were not read, with why. */
  readonly skippedColumns: RowReader['skippedColumns'];
  /** How many sensors got readings. */
  readonly sensors: number;
  /** First and last instant in ms, null without any reading. */
  readonly from: number | null;
  readonly to: number | null;
  /** Whether the signal ended the import before the file did. */
  readonly isStopped: boolean;
}

/**
 * Imports a readings file as it streams in: what is valid is written in batches, what is not is counted by reason and
 * handed on. Importing the same file again changes nothing.
 */
export async function importReadings(
  chunks: AsyncIterable<Uint8Array | string>,
  options: ImportReadingsOptions,
): Promise<ReadingsReport> {
  const { store, companyId, zone, signal } = options;
  const index = await store.read(companyId, loadSensorIndex);
  const reportProgress = (): void => options.onProgress?.({ rows: file.rows, readings: batches.writtenCount });
  const batches = createReadingBatchWriter(store, companyId, reportProgress);
  const rejects = createRejectLog(options.rejects);
  const sink = { add: batches.add, reject: rejects.add };
  const file = createCsvReader((text) => {
    const { header, moduleId } = readCsvStart(text, index, options.module, '--module');
    rejects.begin(text, header);
    return createRowReader(header, index, zone, options.now, moduleId, sink);
  });

  const take = async (lines: readonly string[]): Promise<void> => {
    let readCount = 0;
    for (const text of lines) {
      if (signal?.aborted) return;
      file.readLine(text);
      if (batches.isFull) await batches.write();
      else if (++readCount % ROWS_PER_TURN === 0 && batches.isWriting) await nextTurn();
    }
  };

  let isStopped = false;
  try {
    for await (const lines of csvLines(chunks)) {
      await take(lines);
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
    // Nothing is written any more once it has ended, however it did.
    await batches.settle();
  }
  await rejects.flush();
  const { writtenCount, repeatCount, sensorCount: sensors, from, to } = batches;
  return {
    ...rejects.report(),
    zone,
    rows: file.rows,
    kept: writtenCount - repeatCount,
    repeats: repeatCount,
    skippedColumns: file.skippedColumns,
    sensors,
    from,
    to,
    isStopped,
  };
}
