import type { CsvProfileName, DateOrder } from '../../../domain/ingest/import-options.ts';
import { itemAt } from '../../../domain/items.ts';
import { FileError } from '../../../language/ingest/file-error.ts';
import { DateForms } from '../date-forms.ts';
import { columnNamesOf, resolveImportModule, type SensorIndex } from '../sensor-index.ts';
import { BARE_DAY, CLOCK_TIME, dateOrderOf, NUMERIC_DATE } from '../spreadsheet-times.ts';
import { MoistureUnitGuard } from './checks/moisture-unit-guard.ts';
import { parseColumnMap } from './column-map.ts';
import type { ColumnMap } from './column-meanings.ts';
import { type CsvLayout, readLayout } from './csv-layout.ts';
import { hasLongCell, learnFigures, timeTextOf } from './row-cells.ts';
import { RecordJoiner } from './text/csv-records.ts';

/** How the person wants a file to be read. */
export interface CsvOptions {
  /** For a file without a module column. */
  readonly module?: string | undefined;
  readonly timezone?: string | undefined;
  /** Rows before this line are left out. */
  readonly fromLine?: number | undefined;
  /** "NAME=meaning; …". */
  readonly map?: string | undefined;
  readonly dates?: DateOrder | undefined;
  /** Default: guessed from the header. */
  readonly profile?: CsvProfileName | undefined;
  /** True if probes send the rows: their long form is in %, even if no value is above 1. */
  readonly isSentByProbes?: boolean | undefined;
}

/** The names of the options in errors. */
export type CsvOptionNames = Readonly<Record<'module' | 'map' | 'dates' | 'timezone', string>>;

/** The form of a file, as its header and first rows show it. */
interface CsvFormat {
  readonly layout: CsvLayout;
  /** The module of all rows; null if each row names its own. */
  readonly moduleId: number | null;
  readonly dates: DateOrder | null;
  /** True if each row is of a whole day. */
  readonly isDaily: boolean;
  readonly forms: DateForms;
}

/** Enough to find a header after lines about the logger. */
const SAMPLE_LINES = 50;
/** In characters: longer lines are read in samples of fewer. No header ends below. */
const SAMPLE_LENGTH = 262_144;
/**
 * In characters of lines, which wait until a day above 12 shows the order of day and month, and
 * moisture above 1 its unit.
 */
const MAX_WAITING_LENGTH = 2_097_152;

/** Collects the first lines of a file until they show how to read it. */
export class FormatDetection {
  readonly #options: CsvOptions;
  readonly #names: CsvOptionNames;
  readonly #index: SensorIndex;
  readonly #map: ColumnMap;
  #lines: string[] = [];
  #length = 0;

  #layout: CsvLayout | null = null;
  #moduleId: number | null = null;
  #guard: MoistureUnitGuard | null = null;
  #sampledLines = 0;
  #sampledLength = 0;
  #joiner: RecordJoiner | null = null;
  /** The times of the rows that were sampled last. */
  readonly #timeTexts: string[] = [];
  readonly #forms = new DateForms();
  #hasBareDays = false;
  #hasClockTimes = false;
  #ambiguousDate: string | undefined;

  constructor(options: CsvOptions, names: CsvOptionNames, index: SensorIndex) {
    this.#options = options;
    this.#names = names;
    this.#index = index;
    this.#map = parseColumnMap(options.map ?? '', names.map);
  }

  /** The collected lines, which are then no longer held in memory. */
  takeLines(): readonly string[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** Returns true if it is time to call `detect` again. */
  add(line: string): boolean {
    this.#lines.push(line);
    this.#length += line.length;
    return (
      this.#lines.length - this.#sampledLines >= SAMPLE_LINES ||
      this.#length - this.#sampledLength > SAMPLE_LENGTH
    );
  }

  /** Null if more lines may still show how to read the file. */
  detect(isEnd: boolean): CsvFormat | null {
    const layout = this.#findLayout();
    const guard = this.#findGuard(layout);
    const timeTexts = this.#sampleRows(layout, guard, isEnd);
    this.#forms.assertNoneSwapped();

    const dates = this.#dateOrder(timeTexts, layout);
    const canWait = !isEnd && this.#length <= MAX_WAITING_LENGTH;
    if (canWait && (dates === 'unknown' || !guard.isSettled)) return null;
    if (dates === 'unknown') throw ambiguousDates(this.#ambiguousDate!, this.#names.dates);

    guard.assertPercent(this.#names.map);
    const isDaily = layout.mayBeDaily && this.#hasBareDays && !this.#hasClockTimes;
    return { layout, moduleId: this.#moduleId, dates, isDaily, forms: this.#forms };
  }

  #findLayout(): CsvLayout {
    if (this.#layout !== null) return this.#layout;

    const { module, profile } = this.#options;
    const names = this.#names;
    this.#moduleId =
      module === undefined ? null : resolveImportModule(this.#index, module, names.module).id;
    const knownColumns = columnNamesOf(this.#index, this.#moduleId);
    const mapping = { map: this.#map, mapField: names.map, knownColumns };

    this.#layout = readLayout(this.#lines, mapping, profile);
    assertModuleNamedOnce(this.#layout, module, names);
    return this.#layout;
  }

  #findGuard(layout: CsvLayout): MoistureUnitGuard {
    this.#guard ??= new MoistureUnitGuard(layout, this.#index, this.#moduleId, {
      isSentByProbes: this.#options.isSentByProbes ?? false,
    });
    return this.#guard;
  }

  /** Reads the rows that came since the last attempt. Returns their times. */
  #sampleRows(layout: CsvLayout, guard: MoistureUnitGuard, isEnd: boolean): string[] {
    const timeTexts = this.#timeTexts;
    this.#joiner ??= new RecordJoiner(layout.delimiter, layout.names.length, (_, line, cells) => {
      if (cells === null || hasLongCell(cells, layout)) return;
      learnFigures(cells, layout);
      guard.read(cells);
      const timeText = timeTextOf(cells, layout);
      timeTexts.push(timeText);
      this.#forms.add(timeText, line);
    });

    const firstLine = Math.max(this.#sampledLines, layout.headerEnd);
    for (const [index, text] of this.#lines.slice(firstLine).entries())
      this.#joiner.add(text, firstLine + index + 1);
    if (isEnd) this.#joiner.end();

    this.#sampledLines = this.#lines.length;
    this.#sampledLength = this.#length;
    this.#hasBareDays ||= timeTexts.some((text) => BARE_DAY.test(text));
    this.#hasClockTimes ||= timeTexts.some((text) => CLOCK_TIME.test(text));
    return timeTexts.splice(0);
  }

  #dateOrder(timeTexts: readonly string[], layout: CsvLayout): DateOrder | 'unknown' | null {
    const order = dateOrderOf(timeTexts);
    if (order === 'unknown')
      this.#ambiguousDate ??= timeTexts.find((text) => NUMERIC_DATE.test(text));

    // Rows in ISO 8601 do not show the order of an ambiguous date before them.
    const isUndecided =
      this.#ambiguousDate !== undefined && (order === 'unknown' || order === null);
    return this.#options.dates ?? layout.dates ?? (isUndecided ? 'unknown' : order);
  }
}

function assertModuleNamedOnce(
  layout: CsvLayout,
  module: string | undefined,
  names: CsvOptionNames,
): void {
  if (layout.module === null && module === undefined)
    throw new FileError(({ fileFaults }) => fileFaults.noModule(names.module), {
      field: names.module,
    });

  if (layout.module !== null && module !== undefined) {
    const column = itemAt(layout.names, layout.module);
    throw new FileError(
      ({ fileFaults }) => fileFaults.moduleInRows(names.module, names.map, column),
      { field: names.module },
    );
  }
}

export const ambiguousDates = (example: string, option: string): FileError =>
  new FileError(({ fileFaults }) => fileFaults.ambiguousDates(example, option), { field: option });
