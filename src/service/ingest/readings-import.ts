import { setImmediate as nextTurn } from 'node:timers/promises';
import { invalidInput } from '../../schema/error.ts';
import type { Store } from '../../store/store.ts';
import { type LongHeader, parseHeader, type WideHeader } from './csv-header.ts';
import { csvLines } from './csv-lines.ts';
import { createRowReader, type RowReader } from './csv-rows.ts';
import { createReadingBatchWriter } from './reading-batches.ts';
import { createRejectLog, type RejectionReport } from './rejected-rows.ts';
import { loadSensorIndex, resolveImportModule, type SensorIndex } from './sensor-index.ts';

/** Takes the lines of a readings file in their order: the first that is not blank is its header. */
export interface CsvReader {
  readLine(text: string): void;
  /** The file has ended: one without a header is refused. */
  end(): void;
  /** Rows of data so far, without the header and blank lines. */
  readonly rows: number;
  /** Columns that are not read, with why. */
  readonly skippedColumns: RowReader['skippedColumns'];
}

/** `begin` makes the reader of the rows behind a header. */
export function createCsvReader(begin: (header: string) => RowReader): CsvReader {
  let reader: RowReader | null = null;
  let line = 0;
  const lines = {
    rows: 0,
    get skippedColumns() {
      return reader?.skippedColumns ?? [];
    },
    readLine(text: string): void {
      line++;
      if (isBlank(text)) return;
      if (reader === null) {
        reader = begin(text);
        return;
      }
      lines.rows++;
      reader.read(text, line);
    },
    end(): void {
      if (reader === null)
        throw invalidInput('invalid_body', 'The file is empty.', {
          hint: 'A readings file starts with a header line.',
        });
      reader.end();
    },
  };
  return lines;
}

/** A line that holds nothing, or nothing but delimiters, as spreadsheets leave them. */
const isBlank = (text: string): boolean => text.length < 64 && /^[\s,;|]*$/.test(text);

/** A header, and the module that the rows behind it are about: null where each names its own. */
export interface CsvStart {
  readonly header: LongHeader | WideHeader;
  readonly moduleId: number | null;
}

/** Reads a header; `module` names the module of a wide file, and the caller calls that argument `field`. */
export function readCsvStart(text: string, sensors: SensorIndex, module: string | undefined, field: string): CsvStart {
  const header = parseHeader(text);
  if (header.layout === 'wide' && module === undefined)
    throw invalidInput('invalid_parameter', 'A wide readings file does not say whose readings they are.', {
      hint: `Add ${field} with the name, uid or id of the probe or station.`,
      field,
    });
  if (header.layout === 'long' && module !== undefined)
    throw invalidInput('invalid_parameter', 'This readings file names a module in every row.', {
      hint: `Leave ${field} out: it is for wide files (time,humidity_10,…).`,
      field,
    });
  return { header, moduleId: module === undefined ? null : resolveImportModule(sensors, module, field).id };
}

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
