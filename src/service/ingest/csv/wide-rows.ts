import type { RejectionCode, SkipCode } from '../../../schema/ingest/rejection.ts';
import { newImportedSensor } from '../collected-readings.ts';
import { measurementRange } from '../reading-values.ts';
import { type OnClockRunsOn, RowSequence } from '../row-sequence.ts';
import { columnNamesOf, findModules, findSensor, type SensorIndex } from '../sensor-index.ts';
import { nearestColumn, sensorColumnName } from './column-names.ts';
import type { WideLayout } from './csv-layout.ts';
import { isFailureCode } from './row-cells.ts';
import type { ReadColumn, SensorTarget, SensorTargets, SkippedColumn } from './sensor-rows.ts';

/**
 * The sensors of rows that have the readings of one module at one time, each sensor in a column.
 * `moduleId` is null if each row names its module.
 */
export function sensorsOfWideRows(
  layout: WideLayout,
  index: SensorIndex,
  moduleId: number | null,
  onClockRunsOn?: OnClockRunsOn,
): SensorTargets {
  const targetWith = (columns: readonly ReadColumn[]): SensorTarget => ({
    columns,
    rejection: null,
    sequence: new RowSequence(onClockRunsOn),
  });
  const columnsOfFile = moduleId === null ? null : columnsOf(layout, index, moduleId);
  const targetOfFile =
    columnsOfFile === null
      ? null
      : targetWith(columnsOfFile.filter(({ sensor }) => sensor !== null));
  const moduleName = (cells: readonly string[]): string =>
    layout.module === null ? '' : (cells[layout.module] ?? '');

  return {
    skippedColumns: skippedColumns(layout, columnsOfFile ?? [], columnNamesOf(index, moduleId)),
    keyOf: moduleName,
    find(cells) {
      if (targetOfFile !== null) return targetOfFile;
      const [module, another] = findModules(index, moduleName(cells));
      if (module === undefined) return rejectedFor('unknown_module');
      if (another !== undefined) return rejectedFor('several_modules');
      return targetWith(columnsOf(layout, index, module.id));
    },
    storeDeferred(found) {
      for (const { sequence } of found) sequence?.storeDeferred();
    },
  };
}

const rejectedFor = (reason: RejectionCode): SensorTarget => ({
  columns: [],
  rejection: { reason },
  sequence: null,
});

const columnsOf = (layout: WideLayout, sensorIndex: SensorIndex, moduleId: number): ReadColumn[] =>
  layout.sensors.map(({ index, name, type, depth, unit, missing, max }) => {
    const sensor = findSensor(sensorIndex, moduleId, type, depth);
    const range = measurementRange(type);

    return {
      index,
      name,
      unitOf: () => unit,
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
