import { zoneOfClock } from '../../../domain/company/place-zones.ts';
import type { ClockStop } from '../../../schema/ingest/rejection.ts';
import { ReadingTimeParser } from '../reading-times.ts';
import type { OnClockRunsOn } from '../row-sequence.ts';
import type { SensorIndex } from '../sensor-index.ts';
import { clockRunsOnError, clockStopAt } from './checks/clock-of-file.ts';
import { isBlankLine } from './csv-header.ts';
import type { CsvLayout } from './csv-layout.ts';
import type { RowSink } from './csv-rejects.ts';
import { type CsvUnderstanding, understoodColumns } from './csv-understanding.ts';
import { type CsvOptionNames, type CsvOptions, FormatDetection } from './format-detection.ts';
import { sensorsOfLongRows } from './long-rows.ts';
import { SensorRows } from './sensor-rows.ts';
import { RecordJoiner } from './text/csv-records.ts';
import { sensorsOfWideRows } from './wide-rows.ts';

interface CsvContext {
  readonly index: SensorIndex;
  /** For times without an offset, unless the file or an option names another zone. */
  readonly zone: string;
  readonly now: number;
}

/** Collects the first lines of a file until they show how to read it; then reads every line. */
export class CsvReader {
  readonly #options: CsvOptions;
  readonly #names: CsvOptionNames;
  readonly #context: CsvContext;
  readonly #sink: RowSink;
  readonly #onHeader: (layout: CsvLayout) => void;
  readonly #detection: FormatDetection;
  #sensorRows: SensorRows | null = null;
  #joiner: RecordJoiner | null = null;
  #understanding: CsvUnderstanding | null = null;
  #line = 0;
  #rows = 0;
  #clockStop: ClockStop | null = null;

  constructor(
    options: CsvOptions,
    names: CsvOptionNames,
    context: CsvContext,
    sink: RowSink,
    onHeader: (layout: CsvLayout) => void = () => {},
  ) {
    this.#options = options;
    this.#names = names;
    this.#context = context;
    this.#sink = sink;
    this.#onHeader = onHeader;
    this.#detection = new FormatDetection(options, names, context.index);
  }

  get rows(): number {
    return this.#rows;
  }

  /** Values that stand for a failed measurement. */
  get failedMeasurements(): number {
    return this.#sensorRows?.failedMeasurements ?? 0;
  }

  /** From its row on, rows are rejected. */
  get clockStop(): ClockStop | null {
    return this.#clockStop;
  }

  /** Null until the header is found. */
  get understanding(): CsvUnderstanding | null {
    return this.#understanding;
  }

  /** Yields after each line that it reads, among them those that have waited for a later one. */
  *readLines(lines: readonly string[]): Generator<undefined, void> {
    for (const text of lines) {
      this.#line++;
      if (this.#joiner === null) {
        if (this.#detection.add(text)) yield* this.#tryToStart(false);
      } else this.#joiner.add(text, this.#line);
      yield;
    }
  }

  /** Yields as `readLines` does. Returns how the file was read. */
  *end(): Generator<undefined, CsvUnderstanding> {
    if (this.#sensorRows === null) yield* this.#tryToStart(true);
    this.#joiner!.end();
    this.#sensorRows!.storeDeferred();
    return this.#understanding!;
  }

  /** Does nothing if more lines may still show how to read the file. */
  *#tryToStart(isEnd: boolean): Generator<undefined, void> {
    const format = this.#detection.detect(isEnd);
    if (format === null) return;

    const { layout, moduleId, dates, isDaily, forms } = format;
    const { index, now } = this.#context;
    const { timezone, fromLine = 0 } = this.#options;
    const ownZone = timezone === undefined ? layout.zone : zoneOfClock(timezone);
    const zone = ownZone ?? this.#context.zone;
    const times = new ReadingTimeParser({
      zone,
      now,
      dates,
      isDaily,
      forms,
      keptFrom: index.keptFrom,
    });
    this.#onHeader(layout);
    const option = this.#names.timezone;
    // A zone that the person named is meant, also where the clock seems to run on.
    const onClockRunsOn: OnClockRunsOn | undefined =
      timezone === undefined
        ? (row) => {
            throw clockRunsOnError(row, zone, option);
          }
        : undefined;
    const targets =
      layout.kind === 'long'
        ? sensorsOfLongRows(layout, index, onClockRunsOn)
        : sensorsOfWideRows(layout, index, moduleId, onClockRunsOn);
    const rows = new SensorRows(layout, targets, times, this.#sink);

    const { skippedColumns } = targets;
    const columns = understoodColumns(layout, isDaily, skippedColumns);
    this.#sensorRows = rows;
    this.#understanding = { profile: layout.profile, zone, dates, columns, skippedColumns };

    const joiner = new RecordJoiner(layout.delimiter, layout.names.length, (text, line, cells) => {
      if (isBlankLine(text) || line < fromLine) return;
      this.#rows++;
      if (this.#clockStop !== null) {
        this.#sink.reject(line, text, cells, [{ reason: 'after_stop' }]);
        return;
      }

      rows.read({ text, line, cells });
      if (times.skippedHour !== null) this.#clockStop = clockStopAt(line, times, { zone, option });
      if (forms.hasContradiction) forms.assertNoneSwapped();
    });
    this.#joiner = joiner;
    for (const [lineIndex, text] of this.#detection.takeLines().entries()) {
      if (lineIndex < layout.headerEnd) continue;
      joiner.add(text, lineIndex + 1);
      yield;
    }
  }
}
