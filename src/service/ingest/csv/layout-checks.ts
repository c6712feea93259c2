import { quoteUpTo } from '../../../domain/strings.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import { unknownWeatherColumns } from '../weather/weather-columns.ts';
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
  /** The meanings of columns that the caller gives. */
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
    throw new FileError(({ fileFaults }) => fileFaults.columnTwice(quoteName(sameName.name)));

  const sameSensor = firstDuplicate(
    understood.flatMap(({ name, meaning }) =>
      meaning?.kind === 'sensor' ? [{ name, meaning }] : [],
    ),
    ({ meaning }) => sensorColumnName(meaning),
  );
  if (sameSensor !== undefined)
    throw new FileError(({ fileFaults }) =>
      fileFaults.sensorTwice(quoteName(sameSensor.name), mapField),
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
  header: readonly string[],
  unread: readonly InterpretedColumn[],
  { mapField, knownColumns }: ColumnMapping,
): FileError {
  const notOfWeather = unknownWeatherColumns(header);
  if (notOfWeather !== null)
    return new FileError(({ fileFaults }) => fileFaults.dailyWeather(listColumns(notOfWeather)));

  const inputs = [...new Set(unread.flatMap(({ input }) => input ?? []))];
  const [firstInput] = inputs;
  if (firstInput !== undefined)
    return new FileError(
      ({ fileFaults }) => fileFaults.noDepth(listColumns(inputs), mapField, firstInput),
      { field: mapField },
    );

  const names = unread
    .filter(({ meaning }) => !isTimeMeaning(meaning))
    .slice(0, MAX_NAMED_COLUMNS)
    .map(({ name }) => ({ name, nearest: nearestColumn(name, knownColumns) }));
  // A name that is a depth alone lacks only what it measures.
  const bareDepth = names.find(({ name }) => depthInCm(name) !== null)?.name;
  const example =
    bareDepth === undefined ? 'NAME=humidity_10' : `${bareDepth}=humidity_${depthInCm(bareDepth)}`;

  return new FileError(({ fileFaults, importReport }) => {
    const texts = names.map(({ name, nearest }) =>
      nearest === null ? quoteName(name) : importReport.nearest(quoteName(name), nearest),
    );
    return fileFaults.noSensorColumn(texts.join(', '), mapField, example);
  });
}

export function assertMappingUsed(
  columns: readonly InterpretedColumn[],
  { map, mapField }: ColumnMapping,
): void {
  // One name of a map may be that of several columns, such as those of a port.
  const understood = new Set(
    columns.flatMap(({ meaning, mappedBy }) => (meaning === null ? [] : [mappedBy])),
  );
  const depthAlone = columns.find(
    ({ mappedBy }) =>
      mappedBy !== null && !understood.has(mappedBy) && map.get(mappedBy)?.kind === 'at_depth',
  );
  if (depthAlone !== undefined)
    throw new FileError(
      ({ fileFaults }) => fileFaults.depthAlone(quoteName(depthAlone.name), mapField),
      { field: mapField },
    );

  const inOtherUnit = columns.find(({ mappedBy, why }) => mappedBy !== null && why !== undefined);
  if (inOtherUnit !== undefined)
    throw new FileError(
      ({ fileFaults }) => fileFaults.otherUnit(quoteName(inOtherUnit.name), mapField),
      { field: mapField },
    );

  const used = new Set(columns.map(({ mappedBy }) => mappedBy));
  const unused = [...map.keys()].find((key) => !used.has(key));
  if (unused === undefined) return;
  const names = listColumns(columns.map(({ name }) => name));
  throw new FileError(
    ({ fileFaults }) => fileFaults.noSuchColumn(quoteName(unused), names, mapField),
    { field: mapField },
  );
}

export const listColumns = (names: readonly string[]): string =>
  names.slice(0, MAX_NAMED_COLUMNS).map(quoteName).join(', ') +
  (names.length > MAX_NAMED_COLUMNS ? ' …' : '');
