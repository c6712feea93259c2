import type { Rejection } from '../../../language/ingest/import-report.ts';
import { type ImportedSensor, newImportedSensor } from '../reading-batches.ts';
import {
  measurementRange,
  parseDecimal,
  parseMeasurement,
  refusalOfValue,
  type ValueRange,
} from '../reading-parsers.ts';
import type { ReadingTimeParser } from '../reading-times.ts';
import type { RowSink } from '../rejected-rows.ts';
import { findModules, findSensor, type SensorIndex } from '../sensor-index.ts';
import { parseMeasurementType, type Unit, unitOf } from './column-names.ts';
import {
  flushDeferred,
  newRowSequence,
  type RowSequence,
  storeInOrder,
} from './repeated-hour-rows.ts';

/** Limits the memory that a file of meaningless names can take. */
export const MAX_CACHED_NAMES = 10_000;

export const UNKNOWN_MODULE: Rejection = { reason: 'unknown_module' };
export const SEVERAL_MODULES: Rejection = { reason: 'several_modules' };

interface ReadingCells {
  readonly module: string;
  readonly type: string;
  readonly depth: string;
  readonly time: string;
  readonly value: string;
  /** The text of its unit cell ("m3/m3"), if there is one. */
  readonly unit?: string | undefined;
}

export interface CellReader {
  /** `text` is the row as it was sent, `cells` its CSV cells, null if it is not CSV. */
  read(row: ReadingCells, line: number, text: string, cells: readonly string[] | null): void;
  end(): void;
}

const UNKNOWN_UNIT = 'unknown';

/** In characters. */
const MAX_UNIT_LENGTH = 40;

/** A row without a unit has the unit of the value column if that fits its type. */
function rowUnit(
  text: string | undefined,
  valueUnit: Unit | null,
  { type }: ValueRange,
): Unit | null | typeof UNKNOWN_UNIT {
  if (text === undefined || text.trim() === '') return valueUnit?.type === type ? valueUnit : null;
  const unit = text.length > MAX_UNIT_LENGTH ? null : unitOf(` ${text.trim()}`);
  return unit?.type === type ? unit : UNKNOWN_UNIT;
}

function rangeOfType(text: string): ValueRange | null {
  const type = parseMeasurementType(text);
  return type === null ? null : measurementRange(type);
}

interface SensorEntry {
  readonly sensor: ImportedSensor;
  readonly sequence: RowSequence;
  readonly range: ValueRange;
}

export function createCellReader(
  index: SensorIndex,
  times: ReadingTimeParser,
  delimiter: string,
  sink: RowSink,
  valueUnit: Unit | null = null,
): CellReader {
  const entries = new Map<number, SensorEntry>();
  const cache = new Map<string, SensorEntry | Rejection>();

  const findEntry = (module: string, type: string, depthText: string): SensorEntry | Rejection => {
    const modules = findModules(index, module);
    if (modules.length === 0) return UNKNOWN_MODULE;
    if (modules.length > 1) return SEVERAL_MODULES;

    const measurement = parseMeasurementType(type);
    if (measurement === null) return { reason: 'unknown_type' };

    const depth = depthText.trim() === '' ? null : parseDecimal(depthText.replace(/ ?cm\s*$/i, ''));
    if (Number.isNaN(depth)) return { reason: 'invalid_depth' };

    const sensor = findSensor(index, modules[0]!.id, measurement, depth);
    if (sensor === undefined) return { reason: 'no_such_sensor' };

    const entry = entries.get(sensor.id) ?? {
      sensor: newImportedSensor(sensor.id),
      sequence: newRowSequence(),
      range: measurementRange(measurement),
    };
    entries.set(sensor.id, entry);

    return entry;
  };

  const cachedEntry = ({ module, type, depth }: ReadingCells): SensorEntry | Rejection => {
    const key = `${module}\n${type}\n${depth}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const entry = findEntry(module, type, depth);
    if (cache.size < MAX_CACHED_NAMES) cache.set(key, entry);
    return entry;
  };

  return {
    read(row, line, text, cells) {
      const entry = cachedEntry(row);
      const at = times.parse(row.time);
      const hasSensor = 'sensor' in entry;
      const range = hasSensor ? entry.range : rangeOfType(row.type);
      const unit = range === null ? null : rowUnit(row.unit, valueUnit, range);
      const isReadable = range !== null && unit !== UNKNOWN_UNIT;
      const value = isReadable ? parseMeasurement(row.value, range, unit, delimiter) : Number.NaN;
      const hasTime = !Number.isNaN(at);
      const hasValue = !Number.isNaN(value);
      if (!hasSensor || !hasTime || !hasValue) {
        const rejections: Rejection[] = hasSensor ? [] : [entry];
        if (!hasTime) rejections.push({ reason: times.refusal });
        if (unit === UNKNOWN_UNIT) rejections.push({ reason: 'unknown_unit' });
        else if (range !== null && !hasValue)
          rejections.push({ reason: refusalOfValue(row.value, range, delimiter) });
        sink.reject(line, text, cells, rejections);
      }

      if (!hasSensor || !hasTime) return;

      const { sensor, sequence } = entry;
      // A row without a value still shows the order of the others.
      const store = hasValue ? (instant: number) => sink.add(sensor, instant, value, line) : null;
      storeInOrder(sequence, times, at, text, store);
    },
    end() {
      for (const { sequence } of entries.values()) flushDeferred(sequence);
    },
  };
}
