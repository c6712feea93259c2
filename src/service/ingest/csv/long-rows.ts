import { itemAt } from '../../../domain/items.ts';
import type { RejectionCode } from '../../../schema/ingest/rejection.ts';
import { measurementRange, parseDecimal, type ValueRange } from '../reading-values.ts';
import type { OnClockRunsOn } from '../row-sequence.ts';
import { RowsBySensor } from '../rows-by-sensor.ts';
import { findModules, findSensor, type SensorIndex } from '../sensor-index.ts';
import { depthInCm, parseTypeAndUnit } from './column-names.ts';
import { type Unit, unitOfSymbol } from './column-units.ts';
import type { LongLayout } from './csv-layout.ts';
import {
  type ReadColumn,
  type SensorTarget,
  type SensorTargets,
  UNKNOWN_UNIT,
} from './sensor-rows.ts';

/** The sensors of rows of `module,type,depth,time,value`, each with one reading. */
export function sensorsOfLongRows(
  layout: LongLayout,
  index: SensorIndex,
  onClockRunsOn?: OnClockRunsOn,
): SensorTargets {
  const rowsBySensor = new RowsBySensor(onClockRunsOn);

  return {
    skippedColumns: [],
    keyOf: (cells) => `${cells[layout.module]}\n${cells[layout.type]}\n${cells[layout.depth]}`,
    find: (cells) => findTarget(cells, layout, index, rowsBySensor),
    storeDeferred: () => rowsBySensor.storeDeferred(),
  };
}

function findTarget(
  cells: readonly string[],
  layout: LongLayout,
  index: SensorIndex,
  rowsBySensor: RowsBySensor,
): SensorTarget {
  const { type, unit } = parseTypeAndUnit(itemAt(cells, layout.type)) ?? { type: null, unit: null };
  const range = type === null ? null : measurementRange(type);
  // Of a row without its sensor, the value is still checked if the type is known.
  const rejectedFor = (reason: RejectionCode): SensorTarget => ({
    columns: range === null ? [] : [valueColumn(layout, range, null)],
    rejection: { reason },
    sequence: null,
  });

  const [module, another] = findModules(index, itemAt(cells, layout.module));
  if (module === undefined) return rejectedFor('unknown_module');
  if (another !== undefined) return rejectedFor('several_modules');
  if (type === null) return rejectedFor('unknown_type');

  const depth = parseDepth(itemAt(cells, layout.depth));
  if (Number.isNaN(depth)) return rejectedFor('invalid_depth');

  const found = findSensor(index, module.id, type, depth);
  if (found === undefined) return rejectedFor('no_such_sensor');

  const { sensor, range: rangeOfSensor, sequence } = rowsBySensor.of(found);
  const column = { ...valueColumn(layout, rangeOfSensor, unit), sensor };
  return { columns: [column], rejection: null, sequence };
}

const valueColumn = (layout: LongLayout, range: ValueRange, typeUnit: Unit | null): ReadColumn => ({
  index: layout.value,
  name: null,
  sensor: null,
  range,
  unitOf: (cells) => rowUnit(cells, layout, range) ?? typeUnit,
  isFailure: null,
});

/** In cm: "30", "30 cm" or "0.3 m"; null for a sensor without a depth. */
const parseDepth = (text: string): number | null =>
  text.trim() === '' ? null : (depthInCm(text) ?? parseDecimal(text));

/** In characters. */
const MAX_UNIT_LENGTH = 40;

/** A row without a unit has the unit of the value column if that fits its type. */
function rowUnit(
  cells: readonly string[],
  { unit: unitColumn, valueUnit }: LongLayout,
  { type }: ValueRange,
): Unit | null | typeof UNKNOWN_UNIT {
  const text = unitColumn === null ? '' : itemAt(cells, unitColumn).trim();
  if (text === '') return valueUnit?.type === type ? valueUnit : null;

  const unit = text.length > MAX_UNIT_LENGTH ? null : unitOfSymbol(text);
  return unit?.type === type ? unit : UNKNOWN_UNIT;
}
