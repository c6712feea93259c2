import type { CsvProfileName, DateOrder } from '../../../domain/ingest/import-options.ts';
import { MEASUREMENTS } from '../../../domain/moisture/series.ts';
import { quote } from '../../../domain/text.ts';
import { invalidInput } from '../../../schema/error.ts';
import { BARE_DAY, CLOCK_TIME, dateOrderOf, NUMERIC_DATE } from '../reading-times.ts';
import type { RowSink } from '../rejected-rows.ts';
import { resolveImportModule, type SensorIndex } from '../sensor-index.ts';
import { type ColumnMap, type MappedDepth, mapKey } from './column-meanings.ts';
import { type ColumnMeaning, columnMeaning, depthInCm, sensorColumnName } from './column-names.ts';
import { isBlankLine } from './csv-header.ts';
import { type CsvLayout, readLayout } from './csv-layout.ts';
import { csvCells } from './csv-lines.ts';
import { createRowReader, type RowReader, timeTextOf } from './csv-rows.ts';
import { createMoistureUnitGuard, type MoistureUnitGuard } from './moisture-unit-guard.ts';

/** How the person wants a file to be read. */
export interface CsvOptions {
  /** For a file without a module column. */
  readonly module?: string | undefined;
  readonly timezone?: string | undefined;
  /** "NAME=meaning; …". */
  readonly map?: string | undefined;
  readonly dates?: DateOrder | undefined;
  /** Default: guessed from the header. */
  readonly profile?: CsvProfileName | undefined;
  /** True if probes send the rows: their long form is in %, even if no value is above 1. */
  readonly isSentByProbes?: boolean | undefined;
}

/** The names of the options in errors. */
export type CsvOptionNames = Readonly<Record<'module' | 'map' | 'dates', string>>;

export const ARGUMENT_NAMES: CsvOptionNames = { module: 'module', map: 'map', dates: 'dates' };

interface CsvContext {
  readonly index: SensorIndex;
  /** For times without an offset, unless the file or an option names another zone. */
  readonly zone: string;
  readonly now: number;
}

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

export interface CsvUnderstanding {
  /** The provider that the file is an export of. */
  readonly profile: CsvProfileName | null;
  readonly zone: string;
  readonly dates: DateOrder | null;
  readonly columns: readonly UnderstoodColumn[];
  readonly skippedColumns: RowReader['skippedColumns'];
}

interface CsvReader {
  readLine(text: string): void;
  end(): void;
  readonly rows: number;
  /** The number of values that stand for a failed measurement. */
  readonly missing: number;
  /** Null until the header is found. */
  readonly understanding: CsvUnderstanding | null;
}

/** Enough to find a header after lines about the logger. */
const SAMPLE_LINES = 50;
/**
 * In characters of lines, which wait until a day above 12 shows the order of day and month, and
 * moisture above 1 its unit.
 */
const MAX_WAITING_LENGTH = 2_097_152;

export function createCsvReader(
  options: CsvOptions,
  names: CsvOptionNames,
  { index, zone: companyZone, now }: CsvContext,
  sink: RowSink,
  onHeader: (layout: CsvLayout) => void = () => {},
): CsvReader {
  const map = readColumnMap(options.map ?? '', names.map);
  const waitingLines: string[] = [];
  let waitingLength = 0;
  let layout: CsvLayout | null = null;
  let sampledLines = 0;
  let guard: MoistureUnitGuard | null = null;
  let hasBareDays = false;
  let hasClockTimes = false;
  let ambiguousDate: string | undefined;

  let rowReader: RowReader | null = null;
  let line = 0;

  /** Does nothing if more lines may still show how to read the file. */
  const tryToStart = (isEnd: boolean): void => {
    layout ??= readFileLayout(waitingLines, map, names, options, index);
    const fileLayout = layout;
    const moduleId =
      options.module === undefined
        ? null
        : resolveImportModule(index, options.module, names.module).id;

    guard ??= createMoistureUnitGuard(fileLayout, index, moduleId, options.isSentByProbes);
    const unitGuard = guard;
    const timeTexts = waitingLines
      .slice(Math.max(sampledLines, fileLayout.headerEnd))
      .map((text) => {
        const cells = csvCells(text, fileLayout.delimiter);
        if (cells === null) return '';
        unitGuard.read(cells);
        return timeTextOf(cells, fileLayout);
      });

    sampledLines = waitingLines.length;
    hasBareDays ||= timeTexts.some((text) => BARE_DAY.test(text));
    hasClockTimes ||= timeTexts.some((text) => CLOCK_TIME.test(text));

    const isDaily = fileLayout.mayBeDaily && hasBareDays && !hasClockTimes;
    const order = dateOrderOf(timeTexts);
    ambiguousDate ??=
      order === 'unknown' ? timeTexts.find((text) => NUMERIC_DATE.test(text)) : undefined;

    const isUndecided = ambiguousDate !== undefined && (order === 'unknown' || order === null);
    const dates = options.dates ?? fileLayout.dates ?? (isUndecided ? 'unknown' : order);
    const canWait = !isEnd && waitingLength <= MAX_WAITING_LENGTH;
    if (canWait && (dates === 'unknown' || !unitGuard.isSettled)) return;
    if (dates === 'unknown') throw ambiguousDates(ambiguousDate!, names.dates);

    const refusal = unitGuard.refusal(names.map);
    if (refusal !== null) throw refusal;

    const zone = options.timezone ?? fileLayout.zone ?? companyZone;
    onHeader(fileLayout);
    rowReader = createRowReader(fileLayout, index, { zone, now, dates, isDaily }, moduleId, sink);
    reader.understanding = {
      profile: fileLayout.profile,
      zone,
      dates,
      columns: understoodColumns(fileLayout, isDaily, rowReader.skippedColumns),
      skippedColumns: rowReader.skippedColumns,
    };
    for (const [index, text] of waitingLines.entries())
      if (index >= fileLayout.headerEnd) readRow(text, index + 1);
    waitingLines.length = 0;
  };

  const readRow = (text: string, rowLine: number): void => {
    if (isBlankLine(text)) return;
    reader.rows++;
    rowReader!.read(text, rowLine);
  };

  const reader = {
    rows: 0,
    get missing() {
      return rowReader?.missing ?? 0;
    },
    understanding: null as CsvUnderstanding | null,
    readLine(text: string): void {
      line++;
      if (rowReader !== null) {
        readRow(text, line);
        return;
      }
      waitingLines.push(text);
      waitingLength += text.length;
      if (waitingLines.length % SAMPLE_LINES === 0 || waitingLength > MAX_WAITING_LENGTH)
        tryToStart(false);
    },
    end(): void {
      if (rowReader === null) tryToStart(true);
      rowReader!.end();
    },
  };

  return reader;
}

function readFileLayout(
  lines: readonly string[],
  map: ColumnMap,
  names: CsvOptionNames,
  { module, profile }: CsvOptions,
  index: SensorIndex,
): CsvLayout {
  const moduleId =
    module === undefined ? null : resolveImportModule(index, module, names.module).id;
  const sensors = index.sensors.filter(
    (sensor) => moduleId === null || sensor.moduleId === moduleId,
  );
  const knownColumns = [...new Set(sensors.map(sensorColumnName))];
  const layout = readLayout(lines, { map, mapField: names.map, knownColumns }, profile);
  if (layout.module === null && module === undefined)
    throw invalidInput(
      'invalid_parameter',
      'A wide readings file does not say whose readings they are.',
      {
        hint: `Add ${names.module}: the probe or station that all readings are from.`,
        field: names.module,
      },
    );

  if (layout.module !== null && module !== undefined)
    throw invalidInput('invalid_parameter', 'This readings file names a module in every row.', {
      hint: `Leave ${names.module} out, or leave the column unread with ${names.map} "${layout.names[layout.module]}=ignore".`,
      field: names.module,
    });

  return layout;
}

const KNOWN_MEANINGS =
  'A meaning is time, date, module, type, depth, value, unit, a sensor such as humidity_10 or "soil temperature 20 cm", with its unit if it is another ("humidity_10 (m3/m3)"), a depth such as "30 cm", or ignore.';

/** Columns are named as in the header, in any case. */
function readColumnMap(text: string, field: string): ColumnMap {
  const map = new Map<string, ColumnMeaning | MappedDepth | null>();
  for (const entry of text.split(';').filter((each) => each.trim() !== '')) {
    const at = entry.lastIndexOf('=');
    const [name, target] = [mapKey(entry.slice(0, Math.max(at, 0))), entry.slice(at + 1).trim()];
    const meaning = /^ignore$/i.test(target)
      ? null
      : (mappedDepth(target) ?? columnMeaning(target));
    if (name === '' || (meaning === null && !/^ignore$/i.test(target)))
      throw invalidInput(
        'invalid_parameter',
        `${field} ${quote(entry)} does not say what a column is.`,
        {
          hint: `Write NAME=MEANING, several with ; between. ${KNOWN_MEANINGS}`,
          field,
        },
      );

    map.set(name, meaning);
  }

  return map;
}

function mappedDepth(target: string): MappedDepth | null {
  const depth = depthInCm(target);
  return depth === null ? null : { kind: 'at_depth', depth };
}

const ambiguousDates = (example: string, option: string) =>
  invalidInput(
    'invalid_parameter',
    `Dates such as ${quote(example)} can be read in two ways, and no day above 12 among the first rows says which.`,
    {
      hint: `Say it with ${option}: dmy if the day comes first, mdy if the month does.`,
      field: option,
    },
  );

function understoodColumns(
  layout: CsvLayout,
  isDaily: boolean,
  skipped: RowReader['skippedColumns'],
): UnderstoodColumn[] {
  const { names, time, clock, module } = layout;
  const skippedNames = new Set(skipped.map(({ name }) => name));

  const column = (columnIndex: number | null, meaning: string): UnderstoodColumn[] =>
    columnIndex === null
      ? []
      : [{ name: names[columnIndex]!, meaning, unit: null, isConverted: false }];

  const wholeTimeMeaning = isDaily ? 'time_at_noon' : 'time';
  const common = [
    ...column(time, clock === null ? wholeTimeMeaning : 'date'),
    ...column(clock, 'time_of_day'),
    ...column(module, 'module'),
  ];
  if (layout.kind === 'long')
    return [
      ...common,
      ...column(layout.type, 'type'),
      ...column(layout.depth, 'depth'),
      ...column(layout.value, 'value').map((each) => ({
        ...each,
        unit: layout.valueUnit?.symbol ?? null,
        isConverted: layout.valueUnit?.convert !== undefined,
      })),
      ...column(layout.unit, 'unit'),
    ];

  const sensors = layout.sensors
    .filter(({ name }) => !skippedNames.has(name))
    .map(({ name, unit, ...sensor }) => ({
      name,
      meaning: sensorColumnName(sensor),
      unit: unit?.symbol ?? MEASUREMENTS[sensor.type].unit,
      isConverted: unit?.convert !== undefined,
    }));

  return [...common, ...sensors];
}
