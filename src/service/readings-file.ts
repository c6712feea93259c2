import { refuse } from '../schema/error.ts';
import type { Store } from '../store/store.ts';
import { linesOf } from './csv-lines.ts';
import { readingBatches } from './readings-batch.ts';
import { readHeader } from './readings-columns.ts';
import { type RejectsTold, rejectedRows } from './readings-rejects.ts';
import { type RowReader, rowReader } from './readings-rows.ts';
import { sensorBook } from './readings-sensors.ts';

export interface ReadingsImport {
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

export interface ReadingsReport extends RejectsTold {
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
  options: ReadingsImport,
): Promise<ReadingsReport> {
  const { store, companyId, zone, signal } = options;
  const book = await store.read(companyId, sensorBook);
  const batches = readingBatches(store, companyId);
  const rejects = rejectedRows(options.rejects);
  const sink = { add: batches.add, reject: rejects.add };
  let reader: RowReader | null = null;
  let line = 0;
  let rows = 0;

  for await (const lines of linesOf(chunks)) {
    for (const text of lines) {
      line++;
      if (signal?.aborted) break;
      if (isBlank(text)) continue;
      if (reader === null) {
        const header = readHeader(text);
        refuseMisused(header.layout, options.module);
        reader = rowReader(header, book, zone, options.now, options.module, sink);
        rejects.begin(text, header);
        continue;
      }
      rows++;
      reader.read(text, line);
      if (batches.isFull) await batches.write();
    }
    await rejects.handOn();
    options.onProgress?.({ rows, readings: batches.written });
    if (signal?.aborted) break;
  }
  const isStopped = signal?.aborted ?? false;
  if (!isStopped) {
    if (reader === null)
      throw refuse('invalid_body', 'The file is empty.', { hint: 'A readings file starts with a header line.' });
    reader.end();
    await batches.write();
  }
  await rejects.handOn();
  const { written, repeats, sensors, from, to } = batches;
  const skippedColumns = reader?.skippedColumns ?? [];
  return {
    ...rejects.told(),
    zone,
    rows,
    kept: written - repeats,
    repeats,
    skippedColumns,
    sensors,
    from,
    to,
    isStopped,
  };
}

/** A line that holds nothing, or nothing but delimiters, as spreadsheets leave them. */
const isBlank = (text: string): boolean => text.length < 64 && /^[\s,;|]*$/.test(text);

function refuseMisused(layout: 'long' | 'wide', module: string | undefined): void {
  if (layout === 'wide' && module === undefined)
    throw refuse('invalid_parameter', 'A wide readings file does not say whose readings they are.', {
      hint: 'Add --module with the name, uid or id of the probe or station.',
      field: '--module',
    });
  if (layout === 'long' && module !== undefined)
    throw refuse('invalid_parameter', 'This readings file names a module in every row.', {
      hint: 'Leave --module out: it is for wide files (time,humidity_10,…).',
      field: '--module',
    });
}
