import { itemAt } from '../../../domain/items.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import type { RejectionCode, SkipCode } from '../../../schema/ingest/rejection.ts';
import type { ImportedSensor } from '../collected-readings.ts';
import type { ReadingTimeParser } from '../reading-times.ts';
import type { ValueRange } from '../reading-values.ts';
import type { RowSequence } from '../row-sequence.ts';
import { isNoValue, parseMeasurement, rejectionOfCell } from './cell-values.ts';
import type { Unit } from './column-units.ts';
import type { CsvLayout } from './csv-layout.ts';
import type { RowSink } from './csv-rejects.ts';
import { misfitReason, timeTextOf } from './row-cells.ts';
import { type FileRow, type RowForm, type RowTarget, readRow } from './row-reader.ts';

export const UNKNOWN_UNIT = 'unknown';

export interface ReadColumn {
  readonly index: number;
  /** Named in rejections; null if a row has one value. */
  readonly name: string | null;
  /** Null if the module has no such sensor. */
  readonly sensor: ImportedSensor | null;
  readonly range: ValueRange;
  readonly unitOf: (cells: readonly string[]) => Unit | null | typeof UNKNOWN_UNIT;
  readonly isFailure: ((cell: string) => boolean) | null;
}

export interface SensorTarget extends RowTarget<ReadColumn> {
  /** Null without a sensor that is read. */
  readonly sequence: RowSequence | null;
}

export interface SkippedColumn {
  readonly name: string;
  readonly why: SkipCode;
  /** The most similar column that can be read. */
  readonly nearest: string | null;
}

/** Finds the sensors of rows. */
export interface SensorTargets {
  readonly skippedColumns: readonly SkippedColumn[];
  /** Rows with the same text here have the same target. */
  keyOf(cells: readonly string[]): string;
  find(cells: readonly string[]): SensorTarget;
  /** Stores the rows of a repeated hour that still wait for those after them. */
  storeDeferred(found: Iterable<SensorTarget>): void;
}

/** Limits the memory that a file of meaningless names can take. */
const MAX_CACHED_TARGETS = 10_000;

/** Reads the rows of a file of readings. */
export class SensorRows implements RowForm<ReadColumn, SensorTarget> {
  readonly namesAllFaults: boolean;
  readonly #layout: CsvLayout;
  readonly #targets: SensorTargets;
  readonly #times: ReadingTimeParser;
  readonly #sink: RowSink;
  readonly #found = new Map<string, SensorTarget>();
  #failedMeasurements = 0;

  constructor(layout: CsvLayout, targets: SensorTargets, times: ReadingTimeParser, sink: RowSink) {
    this.namesAllFaults = layout.kind === 'long';
    this.#layout = layout;
    this.#targets = targets;
    this.#times = times;
    this.#sink = sink;
  }

  /** Values so far that stand for a failed measurement. */
  get failedMeasurements(): number {
    return this.#failedMeasurements;
  }

  read(row: FileRow): void {
    const { text, line, cells } = row;
    const { target, at, values, rejections } = readRow(this, row);
    if (rejections.length > 0) this.#sink.reject(line, text, cells, rejections);
    if (target === null || target.sequence === null || Number.isNaN(at)) return;

    // A row without a value still shows the order of the others.
    const { columns, sequence } = target;
    const store = (instant: number): void => this.#store(columns, values, instant, line);
    if (this.#times.isRepeated)
      sequence.addRepeated({ earlierAt: at, laterAt: this.#times.secondPassAt, text, store });
    else sequence.add(at, store);
  }

  /** After the last row. */
  storeDeferred(): void {
    this.#targets.storeDeferred(this.#found.values());
  }

  misfitReason(cells: readonly string[] | null, text: string): RejectionCode | null {
    return misfitReason(cells, text, this.#layout);
  }

  targetOf(cells: readonly string[]): SensorTarget {
    const key = this.#targets.keyOf(cells);
    const known = this.#found.get(key);
    if (known !== undefined) return known;

    const target = this.#targets.find(cells);
    if (this.#found.size < MAX_CACHED_TARGETS) this.#found.set(key, target);
    return target;
  }

  parseTime(cells: readonly string[], line: number): number {
    return this.#times.parse(timeTextOf(cells, this.#layout), line);
  }

  get timeReason(): RejectionCode {
    return this.#times.rejection;
  }

  readValue(column: ReadColumn, cells: readonly string[], rejections: Rejection[]): number {
    const { name, sensor, range, isFailure } = column;
    const cell = itemAt(cells, column.index);
    const isOnlyValue = name === null;
    if (!isOnlyValue && (isFailure?.(cell) || isNoValue(cell))) {
      this.#failedMeasurements++;
      return Number.NaN;
    }

    const unit = column.unitOf(cells);
    if (unit === UNKNOWN_UNIT) {
      rejections.push({ reason: 'unknown_unit' });
      return Number.NaN;
    }

    const { figures } = this.#layout;
    const value = parseMeasurement(cell, range, unit, figures);
    if (isOnlyValue) {
      if (Number.isNaN(value)) rejections.push(rejectionOfCell(cell, range, unit, figures));
      return value;
    }

    const isAccepted = sensor !== null && !Number.isNaN(value);
    // An empty cell among others is a missing reading, not an invalid one.
    if (isAccepted || cell.trim() === '') return value;

    const rejection: Rejection =
      sensor === null ? { reason: 'no_such_sensor' } : rejectionOfCell(cell, range, unit, figures);
    rejections.push({ ...rejection, column: name });
    return Number.NaN;
  }

  #store(
    columns: readonly ReadColumn[],
    values: readonly number[],
    at: number,
    line: number,
  ): void {
    for (let index = 0; index < columns.length; index++) {
      const { sensor } = columns[index]!;
      const value = values[index]!;
      if (sensor !== null && !Number.isNaN(value)) this.#sink.add(sensor, at, value, line);
    }
  }
}
