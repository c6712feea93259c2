import { quote, quoteUpTo } from '../../language/text.ts';
import { type AcequiaError, invalidInput } from '../../schema/error.ts';
import { sensorColumnName } from './column-names.ts';
import type { CsvLayout, SensorColumn } from './csv-layout.ts';
import { measurementRange, parseMeasurement } from './reading-parsers.ts';
import { findSensor, type SensorIndex } from './sensor-index.ts';

/** No soil holds as much as 1 m3/m3, and few are ever as dry as 1 %. */
const HIGHEST_FRACTION = 1;
const MAX_NAMED_COLUMNS = 6;
/** In characters. */
const MAX_MAP_LENGTH = 1000;

export interface MoistureUnitGuard {
  read(cells: readonly string[]): void;
  /** True once every column has a value that only % can have. */
  readonly isSettled: boolean;
  /** Null unless all values of a column, so far, could be m3/m3. */
  refusal(mapField: string): AcequiaError | null;
}

/** Prevents m3/m3 from being stored as %, where the header alone says which unit a column has. */
export function createMoistureUnitGuard(
  layout: CsvLayout,
  index: SensorIndex,
  moduleId: number | null,
): MoistureUnitGuard {
  const highest = new Map<SensorColumn, number>();
  if (layout.kind === 'wide')
    for (const column of layout.sensors) {
      const { type, depth, unit, isUnitCertain } = column;
      const isStored = moduleId === null || findSensor(index, moduleId, type, depth);
      if (type === 'humidity' && !isUnitCertain && unit?.convert === undefined && isStored) highest.set(column, 0);
    }
  const range = measurementRange('humidity');
  const undecided = (): SensorColumn[] =>
    [...highest].flatMap(([column, value]) => (value <= HIGHEST_FRACTION ? [column] : []));
  return {
    read(cells) {
      for (const [column, value] of highest) {
        if (value > HIGHEST_FRACTION) continue;
        const measured = parseMeasurement(cells[column.index] ?? '', range, column.unit, layout.delimiter);
        if (measured > value) highest.set(column, measured);
      }
    },
    get isSettled() {
      return undecided().length === 0;
    },
    refusal(mapField) {
      const fractions = undecided().filter((column) => highest.get(column)! > 0);
      if (fractions.length === 0) return null;
      const named = fractions.slice(0, MAX_NAMED_COLUMNS);
      const others = fractions.length - named.length;
      const names = named.map(({ name }) => quote(name)).join(', ') + (others > 0 ? ` and ${others} more` : '');
      const map = named.map((column) => `${column.name}=${sensorColumnName(column)} (m3/m3)`).join('; ');
      return invalidInput(
        'invalid_parameter',
        `No value of ${names} is above 1: this may be m3/m3 and not %, so nothing was stored.`,
        {
          hint: `Say the unit with ${mapField} ${quoteUpTo(MAX_MAP_LENGTH)(map)}, or with (%) in place of (m3/m3) if the values are percent.`,
          field: mapField,
        },
      );
    },
  };
}
