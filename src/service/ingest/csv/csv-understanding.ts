import type { CsvProfileName, DateOrder } from '../../../domain/ingest/import-options.ts';
import { itemAt } from '../../../domain/items.ts';
import { MEASUREMENTS } from '../../../domain/moisture/measurement.ts';
import { sensorColumnName } from './column-names.ts';
import type { CsvLayout, LongLayout, WideLayout } from './csv-layout.ts';
import type { SkippedColumn } from './sensor-rows.ts';

interface UnderstoodColumn {
  readonly name: string;
  /**
   * time, time_at_noon (of days), date, time_of_day, module, type, depth, value or a sensor such as
   * humidity_10.
   */
  readonly meaning: string;
  /** The unit in the file; null unless the column is a sensor. */
  readonly unit: string | null;
  readonly isConverted: boolean;
}

/** How a file is read, for the person to check. */
export interface CsvUnderstanding {
  /** The provider that the file is an export of. */
  readonly profile: CsvProfileName | null;
  readonly zone: string;
  readonly dates: DateOrder | null;
  readonly columns: readonly UnderstoodColumn[];
  readonly skippedColumns: readonly SkippedColumn[];
}

export function understoodColumns(
  layout: CsvLayout,
  isDaily: boolean,
  skipped: readonly SkippedColumn[],
): UnderstoodColumn[] {
  const { time, clock, module } = layout;
  const wholeTime = isDaily ? 'time_at_noon' : 'time';
  const common = [
    ...columnAt(layout, time, clock === null ? wholeTime : 'date'),
    ...columnAt(layout, clock, 'time_of_day'),
    ...columnAt(layout, module, 'module'),
  ];

  return layout.kind === 'long'
    ? [...common, ...columnsOfLong(layout)]
    : [...common, ...columnsOfWide(layout, skipped)];
}

const columnAt = (
  { names }: CsvLayout,
  index: number | null,
  meaning: string,
): UnderstoodColumn[] =>
  index === null ? [] : [{ name: itemAt(names, index), meaning, unit: null, isConverted: false }];

function columnsOfLong(layout: LongLayout): UnderstoodColumn[] {
  const { valueUnit } = layout;
  const valueColumn = {
    name: itemAt(layout.names, layout.value),
    meaning: 'value',
    unit: valueUnit?.symbol ?? null,
    isConverted: valueUnit?.convert !== undefined,
  };

  return [
    ...columnAt(layout, layout.type, 'type'),
    ...columnAt(layout, layout.depth, 'depth'),
    valueColumn,
    ...columnAt(layout, layout.unit, 'unit'),
  ];
}

function columnsOfWide(
  { sensors }: WideLayout,
  skipped: readonly SkippedColumn[],
): UnderstoodColumn[] {
  const skippedNames = new Set(skipped.map(({ name }) => name));
  return sensors
    .filter(({ name }) => !skippedNames.has(name))
    .map(({ name, unit, ...sensor }) => ({
      name,
      meaning: sensorColumnName(sensor),
      unit: unit?.symbol ?? MEASUREMENTS[sensor.type].unit,
      isConverted: unit?.convert !== undefined,
    }));
}
