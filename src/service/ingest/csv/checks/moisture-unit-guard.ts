import { HIGHEST_FRACTION } from '../../../../domain/ingest/doubtful-readings.ts';
import type { FigureConvention } from '../../../../domain/ingest/written-figures.ts';
import { entryOf, itemAt } from '../../../../domain/items.ts';
import { quote, quoteUpTo } from '../../../../domain/strings.ts';
import { FileError } from '../../../../language/ingest/file-error.ts';
import { measurementRange } from '../../reading-values.ts';
import { findSensor, type SensorIndex } from '../../sensor-index.ts';
import { parseMeasurement, splitUnit } from '../cell-values.ts';
import { parseMeasurementType, sensorColumnName } from '../column-names.ts';
import type { Unit } from '../column-units.ts';
import type { CsvLayout, LongLayout, WideLayout } from '../csv-layout.ts';

const MAX_NAMED_COLUMNS = 6;
/** In characters. */
const MAX_MAP_LENGTH = 1000;

interface MoistureColumn {
  readonly name: string;
  /** Its meaning in a map, without the unit. */
  readonly meaning: string;
  /** The moisture of a row, read as %; NaN if the row itself names its unit. */
  moistureIn(cells: readonly string[]): number;
}

/** Prevents m3/m3 from being stored as %. Cells that name their unit are not checked. */
export class MoistureUnitGuard {
  /** The highest value so far of each column. */
  readonly #highest: Map<MoistureColumn, number>;

  constructor(
    layout: CsvLayout,
    index: SensorIndex,
    moduleId: number | null,
    { isSentByProbes }: { readonly isSentByProbes: boolean },
  ) {
    const columns =
      layout.kind === 'wide'
        ? wideColumns(layout, index, moduleId)
        : longColumns(layout, isSentByProbes);
    this.#highest = new Map(columns.map((column) => [column, 0]));
  }

  read(cells: readonly string[]): void {
    for (const [column, highest] of this.#highest) {
      if (highest > HIGHEST_FRACTION) continue;
      const moisture = column.moistureIn(cells);
      if (moisture > highest) this.#highest.set(column, moisture);
    }
  }

  /** True once every column has a value that only % can have. */
  get isSettled(): boolean {
    return this.#undecided().length === 0;
  }

  /** Throws if all values of a column, so far, could be m3/m3. */
  assertPercent(mapField: string): void {
    const fractions = this.#undecided().filter((column) => entryOf(this.#highest, column) > 0);
    if (fractions.length === 0) return;

    const columnsToName = fractions.slice(0, MAX_NAMED_COLUMNS);
    const more = fractions.length - columnsToName.length;
    const names = columnsToName.map(({ name }) => quote(name)).join(', ');
    const map = columnsToName.map(({ name, meaning }) => `${name}=${meaning} (m3/m3)`).join('; ');
    const quotedMap = quoteUpTo(MAX_MAP_LENGTH)(map);

    throw new FileError(
      ({ fileFaults }) => fileFaults.mayBeFraction(names, more, mapField, quotedMap),
      { field: mapField },
    );
  }

  #undecided(): MoistureColumn[] {
    return [...this.#highest].flatMap(([column, highest]) =>
      highest <= HIGHEST_FRACTION ? [column] : [],
    );
  }
}

const RANGE = measurementRange('humidity');

function moistureOfCell(cell: string, unit: Unit | null, figures: FigureConvention): number {
  return splitUnit(cell, RANGE) === null
    ? parseMeasurement(cell, RANGE, unit, figures)
    : Number.NaN;
}

const wideColumns = (
  layout: WideLayout,
  index: SensorIndex,
  moduleId: number | null,
): MoistureColumn[] =>
  layout.sensors.flatMap((column) => {
    const { type, depth, unit, isUnitCertain, name } = column;
    const isStored = moduleId === null || findSensor(index, moduleId, type, depth);
    if (type !== 'humidity' || isUnitCertain || unit?.convert !== undefined || !isStored) return [];

    const cellOf = (cells: readonly string[]) => cells[column.index] ?? '';

    return [
      {
        name,
        meaning: sensorColumnName(column),
        moistureIn: (cells) => moistureOfCell(cellOf(cells), unit, layout.figures),
      },
    ];
  });

function longColumns(
  { names, type, value, unit, valueUnit, figures }: LongLayout,
  isSentByProbes: boolean,
): MoistureColumn[] {
  if (isSentByProbes || valueUnit?.type === 'humidity') return [];

  return [
    {
      name: itemAt(names, value),
      meaning: 'value',
      moistureIn(cells) {
        const isUnitStated = unit !== null && (cells[unit] ?? '').trim() !== '';
        if (isUnitStated || parseMeasurementType(cells[type] ?? '') !== 'humidity')
          return Number.NaN;
        return moistureOfCell(cells[value] ?? '', null, figures);
      },
    },
  ];
}
