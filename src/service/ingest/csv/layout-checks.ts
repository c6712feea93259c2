import { quoteUpTo } from '../../../domain/text.ts';
import { type AcequiaError, invalidInputError } from '../../../schema/error.ts';
import {
  type ColumnMap,
  type InterpretedColumn,
  isTimeMeaning,
  mapKey,
} from './column-meanings.ts';
import { depthInCm, nearestColumn, sensorColumnName } from './column-names.ts';

/** In an error. */
const MAX_NAMED_COLUMNS = 12;
/** In characters: names are whole, so that they can be copied into a map. */
const MAX_NAME_LENGTH = 200;
const quoteName = quoteUpTo(MAX_NAME_LENGTH);

export interface ColumnMapping {
  /** What the caller says that columns mean. */
  readonly map: ColumnMap;
  /** The name of the option or argument with the map, for errors. */
  readonly mapField: string;
  /** The columns that have a sensor; errors name the nearest. */
  readonly knownColumns: readonly string[];
}

export function assertColumnsDiffer(
  columns: readonly InterpretedColumn[],
  { mapField }: ColumnMapping,
): void {
  const understood = columns.filter(({ meaning }) => meaning !== null);
  const sameName = firstDuplicate(understood, ({ name }) => mapKey(name));
  if (sameName !== undefined)
    throw invalidInputError(
      'invalid_body',
      `The header names the column ${quoteName(sameName.name)} twice.`,
      {
        hint: 'Rename one of them.',
      },
    );

  const sameSensor = firstDuplicate(
    understood.flatMap(({ name, meaning }) =>
      meaning?.kind === 'sensor' ? [{ name, meaning }] : [],
    ),
    ({ meaning }) => sensorColumnName(meaning),
  );
  if (sameSensor !== undefined)
    throw invalidInputError(
      'invalid_body',
      `The column ${quoteName(sameSensor.name)} names the sensor of another column.`,
      {
        hint: `Rename one of them, or leave it unread with ${mapField} "NAME=ignore".`,
      },
    );
}

function firstDuplicate<T>(items: readonly T[], keyOf: (item: T) => string): T | undefined {
  const keys = new Set<string>();
  for (const item of items) {
    const key = keyOf(item);
    if (keys.has(key)) return item;
    keys.add(key);
  }
  return undefined;
}

export function noSensorError(
  unread: readonly InterpretedColumn[],
  { mapField, knownColumns }: ColumnMapping,
): AcequiaError {
  const inputs = [...new Set(unread.flatMap(({ input }) => input ?? []))];
  if (inputs.length > 0)
    return invalidInputError(
      'invalid_parameter',
      `The file does not state the depth of ${listColumns(inputs)}.`,
      {
        hint: `Say it for each that is to be read, such as ${mapField} "${inputs[0]}=30 cm".`,
        field: mapField,
      },
    );

  const withNearest = ({ name }: InterpretedColumn): string => {
    const nearest = nearestColumn(name, knownColumns);
    return nearest === null ? quoteName(name) : `${quoteName(name)} (nearest: ${nearest})`;
  };

  const names = unread.filter(({ meaning }) => !isTimeMeaning(meaning)).slice(0, MAX_NAMED_COLUMNS);
  // A name that is a depth alone lacks only what it measures.
  const bareDepth = names.find(({ name }) => depthInCm(name) !== null)?.name;
  const example =
    bareDepth === undefined ? 'NAME=humidity_10' : `${bareDepth}=humidity_${depthInCm(bareDepth)}`;

  return invalidInputError(
    'invalid_body',
    `No column names a sensor: ${names.map(withNearest).join(', ')}.`,
    {
      hint: `Name the columns by type and depth in cm, such as humidity_10, or say what they are with ${mapField} "${example}".`,
    },
  );
}

export function assertMappingUsed(
  columns: readonly InterpretedColumn[],
  { map, mapField }: ColumnMapping,
): void {
  const used = new Set(columns.map(({ mappedBy }) => mappedBy));
  const unused = [...map.keys()].find((key) => !used.has(key));
  if (unused === undefined) return;
  throw invalidInputError(
    'invalid_parameter',
    `The file has no column ${quoteName(unused)}: ${listColumns(columns.map(({ name }) => name))}.`,
    { hint: `Write the name in ${mapField} as the header does.`, field: mapField },
  );
}

export const listColumns = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMED_COLUMNS).map(quoteName).join(', ') +
  (names.length > MAX_NAMED_COLUMNS ? ' …' : '');
