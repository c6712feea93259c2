import type { Rejection } from '../../../language/ingest/import-report.ts';
import type { SkipCode } from '../../../schema/ingest/rejection.ts';
import { type ImportedSensor, newImportedSensor } from '../collected-readings.ts';
import type { ReadingTimeParser } from '../reading-times.ts';
import { measurementRange, type ValueRange } from '../reading-values.ts';
import { type OnClockRunsOn, RowSequence } from '../row-sequence.ts';
import { columnNamesOf, findModules, findSensor, type SensorIndex } from '../sensor-index.ts';
import { isNoValue, parseMeasurement, rejectionOfCell } from './cell-values.ts';
import { nearestColumn, sensorColumnName } from './column-names.ts';
import type { Unit } from './column-units.ts';
import type { WideLayout } from './csv-layout.ts';
import type { RowSink } from './csv-rejects.ts';
import {
  isFailureCode,
  isRowOf,
  MAX_CACHED_NAMES,
  type RowReader,
  SEVERAL_MODULES,
  type SkippedColumn,
  timeTextOf,
  UNKNOWN_MODULE,
} from './row-cells.ts';

interface ReadColumn {
  readonly index: number;
  readonly name: string;
  /** Null if the module has no such sensor. */
  readonly sensor: ImportedSensor | null;
  readonly range: ValueRange;
  readonly unit: Unit | null;
  readonly isFailure: ((cell: string) => boolean) | null;
}

interface ModuleColumns {
  readonly columns: readonly ReadColumn[];
  readonly sequence: RowSequence;
  /** Why no row of the module is read. */
  readonly rejection: Rejection | null;
}

/** Reads rows that have the readings of one module at one time, each sensor in a column. */
export class WideRowReader implements RowReader {
  readonly skippedColumns: readonly SkippedColumn[];

  readonly #layout: WideLayout;
  readonly #index: SensorIndex;
  readonly #times: ReadingTimeParser;
  readonly #sink: RowSink;
  readonly #onClockRunsOn: OnClockRunsOn | undefined;
  /** The columns of the only module; null if each row names its module. */
  readonly #fileColumns: ModuleColumns | null;
  readonly #byModule = new Map<string, ModuleColumns>();
  #failedMeasurements = 0;

  constructor(
    layout: WideLayout,
    index: SensorIndex,
    times: ReadingTimeParser,
    moduleId: number | null,
    sink: RowSink,
    onClockRunsOn?: OnClockRunsOn,
  ) {
    this.#layout = layout;
    this.#index = index;
    this.#times = times;
    this.#sink = sink;
    this.#onClockRunsOn = onClockRunsOn;

    const allColumns = moduleId === null ? null : columnsOf(layout, index, moduleId);
    const readColumns = allColumns?.filter(({ sensor }) => sensor !== null);
    this.#fileColumns = readColumns === undefined ? null : this.#newModuleColumns(readColumns);
    this.skippedColumns = skippedColumns(layout, allColumns ?? [], columnNamesOf(index, moduleId));
  }

  get failedMeasurements(): number {
    return this.#failedMeasurements;
  }

  read(text: string, line: number, cells: readonly string[] | null): void {
    const layout = this.#layout;
    if (!isRowOf(cells, { text, line }, layout, this.#sink)) return;

    const rowColumns = this.#fileColumns ?? this.#columnsOfModule(cells[layout.module!]!);
    if (rowColumns.rejection !== null) {
      this.#sink.reject(line, text, cells, [rowColumns.rejection]);
      return;
    }

    const at = this.#times.parse(timeTextOf(cells, layout), line);
    if (Number.isNaN(at)) {
      this.#sink.reject(line, text, cells, [{ reason: this.#times.rejection }]);
      return;
    }

    const { columns, sequence } = rowColumns;
    const rejections: Rejection[] = [];
    const values = columns.map((column) => this.#valueOf(column, cells, rejections));
    if (rejections.length > 0) this.#sink.reject(line, text, cells, rejections);

    const store = (instant: number): void => this.#store(columns, values, instant, line);
    if (this.#times.isRepeated)
      sequence.addRepeated({ earlierAt: at, laterAt: this.#times.secondPassAt, text, store });
    else sequence.add(at, store);
  }

  end(): void {
    this.#fileColumns?.sequence.storeDeferred();
    for (const { sequence } of this.#byModule.values()) sequence.storeDeferred();
  }

  /** NaN for an empty cell, a failed measurement, and a cell that is rejected. */
  #valueOf(column: ReadColumn, cells: readonly string[], rejections: Rejection[]): number {
    const { name, sensor, range, unit, isFailure } = column;
    const cell = cells[column.index]!;
    if (isFailure?.(cell) || isNoValue(cell)) {
      this.#failedMeasurements++;
      return Number.NaN;
    }

    const { figures } = this.#layout;
    const value = parseMeasurement(cell, range, unit, figures);
    const isAccepted = sensor !== null && !Number.isNaN(value);
    // An empty cell is a missing reading, not an invalid one.
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

  #columnsOfModule(name: string): ModuleColumns {
    const known = this.#byModule.get(name);
    if (known !== undefined) return known;

    const columns = this.#findColumns(name);
    if (this.#byModule.size < MAX_CACHED_NAMES) this.#byModule.set(name, columns);
    return columns;
  }

  #findColumns(name: string): ModuleColumns {
    const [module, another] = findModules(this.#index, name);
    if (module === undefined) return this.#newModuleColumns([], UNKNOWN_MODULE);
    if (another !== undefined) return this.#newModuleColumns([], SEVERAL_MODULES);
    return this.#newModuleColumns(columnsOf(this.#layout, this.#index, module.id));
  }

  #newModuleColumns(
    columns: readonly ReadColumn[],
    rejection: Rejection | null = null,
  ): ModuleColumns {
    return { columns, sequence: new RowSequence(this.#onClockRunsOn), rejection };
  }
}

const columnsOf = (layout: WideLayout, sensorIndex: SensorIndex, moduleId: number): ReadColumn[] =>
  layout.sensors.map(({ index, name, type, depth, unit, missing, max }) => {
    const sensor = findSensor(sensorIndex, moduleId, type, depth);
    const range = measurementRange(type);

    return {
      index,
      name,
      unit,
      sensor: sensor ? newImportedSensor(sensor.id) : null,
      range: max === null ? range : { ...range, max },
      isFailure: missing.length === 0 ? null : isFailureCode(missing),
    };
  });

/** `columns` has the order of `sensors`, or is empty if each row names its module. */
function skippedColumns(
  { unread, sensors }: WideLayout,
  columns: readonly ReadColumn[],
  known: readonly string[],
): SkippedColumn[] {
  const skipped = (name: string, why: SkipCode, meaning = name): SkippedColumn => {
    const hasNearest = why === 'unknown_column' || why === 'no_such_sensor';
    return { name, why, nearest: hasNearest ? nearestColumn(meaning, known) : null };
  };

  const withoutSensor = sensors.filter((_, index) => columns[index]?.sensor === null);
  return [
    ...unread.map(({ name, why }) => skipped(name, why)),
    ...withoutSensor.map((sensor) =>
      sensor.depth === null && known.some((column) => column.startsWith(`${sensor.type}_`))
        ? skipped(sensor.name, 'no_depth')
        : skipped(sensor.name, 'no_such_sensor', sensorColumnName(sensor)),
    ),
  ];
}
