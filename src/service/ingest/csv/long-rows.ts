import { itemAt } from '../../../domain/items.ts';
import type { Rejection } from '../../../language/ingest/import-report.ts';
import type { ReadingTimeParser } from '../reading-times.ts';
import { measurementRange, parseDecimal, type ValueRange } from '../reading-values.ts';
import type { OnClockRunsOn } from '../row-sequence.ts';
import { RowsBySensor, type SensorRows } from '../rows-by-sensor.ts';
import { findModules, findSensor, type SensorIndex } from '../sensor-index.ts';
import { parseMeasurement, rejectionOfCell } from './cell-values.ts';
import { depthInCm, parseTypeAndUnit } from './column-names.ts';
import { type Unit, unitOfSymbol } from './column-units.ts';
import type { LongLayout } from './csv-layout.ts';
import type { RowSink } from './csv-rejects.ts';
import {
  isRowOf,
  MAX_CACHED_NAMES,
  type RowReader,
  SEVERAL_MODULES,
  timeTextOf,
  UNKNOWN_MODULE,
} from './row-cells.ts';

/** The sensor that a row names, with the unit from its type, or the reason to reject the row. */
type NamedSensor =
  | {
      readonly rows: SensorRows;
      readonly range: ValueRange;
      readonly unit: Unit | null;
      readonly rejection: null;
    }
  /** `range` is known if the type is. */
  | {
      readonly rows: null;
      readonly range: ValueRange | null;
      readonly unit: null;
      readonly rejection: Rejection;
    };

/** Reads the rows of `module,type,depth,time,value`, each with one reading. */
export class LongRowReader implements RowReader {
  readonly skippedColumns = [];
  readonly failedMeasurements = 0;

  readonly #layout: LongLayout;
  readonly #index: SensorIndex;
  readonly #times: ReadingTimeParser;
  readonly #sink: RowSink;
  readonly #rowsBySensor: RowsBySensor;
  readonly #namedSensors = new Map<string, NamedSensor>();

  constructor(
    layout: LongLayout,
    index: SensorIndex,
    times: ReadingTimeParser,
    sink: RowSink,
    onClockRunsOn?: OnClockRunsOn,
  ) {
    this.#layout = layout;
    this.#index = index;
    this.#times = times;
    this.#sink = sink;
    this.#rowsBySensor = new RowsBySensor(onClockRunsOn);
  }

  read(text: string, line: number, cells: readonly string[] | null): void {
    const layout = this.#layout;
    if (!isRowOf(cells, { text, line }, layout, this.#sink)) return;

    const { rows, range, rejection, unit: typeUnit } = this.#namedSensor(cells);
    const at = this.#times.parse(timeTextOf(cells, layout), line);
    const unit = rowUnit(cells, layout, range) ?? typeUnit;
    const cell = itemAt(cells, layout.value);
    const value =
      range === null || unit === UNKNOWN_UNIT
        ? Number.NaN
        : parseMeasurement(cell, range, unit, layout.figures);
    const hasTime = !Number.isNaN(at);
    const hasValue = !Number.isNaN(value);

    if (rows === null || !hasTime || !hasValue) {
      const rejections: Rejection[] = rejection === null ? [] : [rejection];
      if (!hasTime) rejections.push({ reason: this.#times.rejection });
      if (unit === UNKNOWN_UNIT) rejections.push({ reason: 'unknown_unit' });
      else if (range !== null && !hasValue)
        rejections.push(rejectionOfCell(cell, range, unit, layout.figures));
      this.#sink.reject(line, text, cells, rejections);
    }

    if (rows !== null && hasTime) this.#store(rows, at, value, { text, line });
  }

  end(): void {
    this.#rowsBySensor.storeDeferred();
  }

  #store(
    { sensor, sequence }: SensorRows,
    at: number,
    value: number,
    { text, line }: { readonly text: string; readonly line: number },
  ): void {
    const sink = this.#sink;
    // A row without a value still shows the order of the others.
    const store = Number.isNaN(value)
      ? null
      : (instant: number) => sink.add(sensor, instant, value, line);

    if (this.#times.isRepeated)
      sequence.addRepeated({ earlierAt: at, laterAt: this.#times.secondPassAt, text, store });
    else sequence.add(at, store);
  }

  #namedSensor(cells: readonly string[]): NamedSensor {
    const { module, type, depth } = this.#layout;
    const key = `${cells[module]}\n${cells[type]}\n${cells[depth]}`;
    const known = this.#namedSensors.get(key);
    if (known !== undefined) return known;

    const found = this.#findSensor(
      itemAt(cells, module),
      itemAt(cells, type),
      itemAt(cells, depth),
    );
    if (this.#namedSensors.size < MAX_CACHED_NAMES) this.#namedSensors.set(key, found);
    return found;
  }

  #findSensor(moduleText: string, typeText: string, depthText: string): NamedSensor {
    const { type, unit } = parseTypeAndUnit(typeText) ?? { type: null, unit: null };
    const range = type === null ? null : measurementRange(type);
    const rejectedFor = (rejection: Rejection): NamedSensor => ({
      rows: null,
      range,
      unit: null,
      rejection,
    });

    const [module, another] = findModules(this.#index, moduleText);
    if (module === undefined) return rejectedFor(UNKNOWN_MODULE);
    if (another !== undefined) return rejectedFor(SEVERAL_MODULES);
    if (type === null) return rejectedFor({ reason: 'unknown_type' });

    const depth = parseDepth(depthText);
    if (Number.isNaN(depth)) return rejectedFor({ reason: 'invalid_depth' });

    const sensor = findSensor(this.#index, module.id, type, depth);
    if (sensor === undefined) return rejectedFor({ reason: 'no_such_sensor' });

    const rows = this.#rowsBySensor.of(sensor);
    return { rows, range: rows.range, unit, rejection: null };
  }
}

/** In cm: "30", "30 cm" or "0.3 m"; null for a sensor without a depth. */
const parseDepth = (text: string): number | null =>
  text.trim() === '' ? null : (depthInCm(text) ?? parseDecimal(text));

const UNKNOWN_UNIT = 'unknown';

/** In characters. */
const MAX_UNIT_LENGTH = 40;

/** A row without a unit has the unit of the value column if that fits its type. */
function rowUnit(
  cells: readonly string[],
  { unit: unitColumn, valueUnit }: LongLayout,
  range: ValueRange | null,
): Unit | null | typeof UNKNOWN_UNIT {
  if (range === null) return null;
  const { type } = range;
  const text = unitColumn === null ? '' : itemAt(cells, unitColumn).trim();
  if (text === '') return valueUnit?.type === type ? valueUnit : null;

  const unit = text.length > MAX_UNIT_LENGTH ? null : unitOfSymbol(text);
  return unit?.type === type ? unit : UNKNOWN_UNIT;
}
