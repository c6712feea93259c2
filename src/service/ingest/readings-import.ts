import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Lang } from '../../domain/lang.ts';
import type { ClockStop } from '../../schema/ingest/rejection.ts';
import type { Store } from '../../store/store.ts';
import type { ImportedSensor } from './collected-readings.ts';
import { CsvReader } from './csv/csv-reader.ts';
import { CsvRejects, type RejectionReport } from './csv/csv-rejects.ts';
import type { CsvUnderstanding } from './csv/csv-understanding.ts';
import type { CsvOptionNames, CsvOptions } from './csv/format-detection.ts';
import { csvLines } from './csv/text/csv-lines.ts';
import { type FirstReading, FirstReadings } from './first-readings.ts';
import { ReadingBatchWriter } from './reading-batches.ts';
import type { SensorIndex } from './sensor-index.ts';
import { loadSensorIndex } from './sensor-index-cache.ts';

/**
 * While a batch is being written, reading pauses after this many rows, so that the next statement
 * can start.
 */
const ROWS_PER_TURN = 250;

const CLI_OPTION_NAMES: CsvOptionNames = {
  module: '--module',
  map: '--map',
  dates: '--dates',
  timezone: '--timezone',
};

export interface ImportReadingsOptions extends CsvOptions {
  readonly store: Store;
  readonly companyId: number;
  readonly zone: string;
  readonly now: number;
  /** True to store nothing, and only report what would be stored. */
  readonly dryRun?: boolean | undefined;
  /** Writes to the rejects file. */
  readonly rejects?: ((text: string) => Promise<void>) | undefined;
  /** The language of the reasons in the rejects file. */
  readonly lang?: Lang | undefined;
  readonly onProgress?: ((progress: { rows: number; readings: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadingsReport extends RejectionReport, CsvUnderstanding {
  readonly rows: number;
  /** Readings without duplicates. */
  readonly stored: number;
  /** Rows with the sensor and instant of an earlier one, which they replace. */
  readonly duplicates: number;
  /** Values that stand for a failed measurement. */
  readonly failedMeasurements: number;
  readonly sensors: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly isStopped: boolean;
  readonly clockStop: ClockStop | null;
  /** The readings of the first rows, in a dry run; null if the readings are stored. */
  readonly first: readonly FirstReading[] | null;
}

/** Importing the same file again changes nothing. */
export async function importReadings(
  chunks: AsyncIterable<Uint8Array | string>,
  { store, companyId, zone, now, dryRun = false, signal, ...options }: ImportReadingsOptions,
): Promise<ReadingsReport> {
  const index = await store.read(companyId, loadSensorIndex);
  const reportProgress = (): void =>
    options.onProgress?.({ rows: reader.rows, readings: batches.writtenCount });

  const batches = dryRun
    ? new DryRunReadings(index)
    : new ReadingBatchWriter(store, companyId, { onWritten: reportProgress, signal });
  const rejects = new CsvRejects(options.rejects, options.lang ?? 'en');
  const reader = new CsvReader(
    options,
    CLI_OPTION_NAMES,
    { index, zone, now },
    {
      add: (sensor, at, value, line) => batches.add(sensor, at, value, line),
      reject: (line, text, cells, rejections) => rejects.add(line, text, cells, rejections),
    },
    (layout) => rejects.begin(layout),
  );

  let isStopped = false;
  try {
    for await (const lines of csvLines(chunks)) {
      await writeMeanwhile(reader.readLines(lines), batches, signal);
      await rejects.flush();
      reportProgress();
      if (signal?.aborted) break;
    }

    if (!signal?.aborted) await writeMeanwhile(reader.end(), batches, signal);
    isStopped = signal?.aborted ?? false;
    if (!isStopped) await batches.write();
  } finally {
    // Nothing may be written after the import has ended, even if it failed.
    await batches.settle();
  }

  await rejects.flush();
  const { writtenCount, repeatCount, sensorCount, period } = batches;
  return {
    ...rejects.report(),
    ...(reader.understanding ?? NOTHING_UNDERSTOOD),
    zone: reader.understanding?.zone ?? zone,
    rows: reader.rows,
    stored: writtenCount - repeatCount,
    duplicates: repeatCount,
    failedMeasurements: reader.failedMeasurements,
    sensors: sensorCount,
    ...period,
    isStopped,
    clockStop: reader.clockStop,
    first: batches instanceof DryRunReadings ? batches.firstReadings : null,
  };
}

/** For a file whose import was stopped before its header was found. */
const NOTHING_UNDERSTOOD = { profile: null, dates: null, columns: [], skippedColumns: [] };

async function writeMeanwhile(
  readLines: Iterable<undefined>,
  batches: ReadingBatchWriter | DryRunReadings,
  signal: AbortSignal | undefined,
): Promise<void> {
  let rowsSincePause = 0;
  for (const _ of readLines) {
    if (signal?.aborted) return;

    if (batches.isFull) await batches.write();
    else if (++rowsSincePause >= ROWS_PER_TURN && batches.isWriting) {
      rowsSincePause = 0;
      await nextTurn();
    }
  }
}

/** In place of the writer of an import: counts what it would write, and stores nothing. */
class DryRunReadings {
  readonly isFull = false;
  readonly isWriting = false;
  readonly repeatCount = 0;
  readonly #first: FirstReadings;
  readonly #sensors = new Set<ImportedSensor>();
  #count = 0;
  #from: number | null = null;
  #to: number | null = null;

  constructor(index: SensorIndex) {
    this.#first = new FirstReadings(index);
  }

  get firstReadings(): readonly FirstReading[] {
    return this.#first.readings;
  }

  get writtenCount(): number {
    return this.#count;
  }

  get sensorCount(): number {
    return this.#sensors.size;
  }

  get period(): { readonly from: number | null; readonly to: number | null } {
    return { from: this.#from, to: this.#to };
  }

  add(sensor: ImportedSensor, at: number, value: number, line: number): void {
    this.#count++;
    this.#sensors.add(sensor);
    if (this.#from === null || at < this.#from) this.#from = at;
    if (this.#to === null || at > this.#to) this.#to = at;
    this.#first.add(sensor.id, at, value, line);
  }

  async write(): Promise<void> {}

  async settle(): Promise<void> {}
}
