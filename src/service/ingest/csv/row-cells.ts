import { MAX_CELL_TEXT } from '../../../domain/text/greatest-lengths.ts';
import type { RejectionCode } from '../../../schema/ingest/rejection.ts';
import { measurementRange } from '../reading-values.ts';
import { parseMeasurement } from './cell-values.ts';
import { parseMeasurementType } from './column-names.ts';
import type { CsvLayout, SensorColumn, TimeColumns } from './csv-layout.ts';
import { hasColumns, isTooLongForRow } from './text/csv-records.ts';
import { withMonthNumber } from './text/month-names.ts';

/** Cells shifted by one would put a value under the wrong sensor, so the whole row is rejected. */
export function misfitReason(
  cells: readonly string[] | null,
  text: string,
  layout: CsvLayout,
): RejectionCode | null {
  if (cells === null) return isTooLongForRow(text) ? 'row_too_long' : 'unclosed_quote';
  if (hasLongCell(cells, layout)) return 'cell_too_long';

  const width = layout.names.length;
  if (cells.length < width) return 'too_few_cells';
  return hasColumns(cells, width) ? null : 'too_many_cells';
}

/** A cell that is not read may be as long as its row. */
export function hasLongCell(cells: readonly string[], layout: CsvLayout): boolean {
  if (cells.every((cell) => cell.length <= MAX_CELL_TEXT)) return false;
  return readIndexes(layout).some(
    (index) => index !== null && (cells[index] ?? '').length > MAX_CELL_TEXT,
  );
}

function readIndexes(layout: CsvLayout): readonly (number | null)[] {
  const { time, clock, module } = layout;
  return layout.kind === 'long'
    ? [time, clock, module, layout.type, layout.depth, layout.value, layout.unit]
    : [time, clock, module, ...layout.sensors.map(({ index }) => index)];
}

export function timeTextOf(cells: readonly string[], { time, clock }: TimeColumns): string {
  const text = withMonthNumber(cells[time] ?? '');
  if (clock === null) return text;

  const clockText = withMonthNumber(cells[clock] ?? '').trim();
  // A column "time" beside a date may hold both; spreadsheets write a date as that day at 00:00.
  if (/\d[-/.]\d+[-/.]\d/.test(clockText)) return clockText;

  return `${text.trim().split(/[ T]/, 1)[0]} ${clockText}`.trim();
}

/** "-1.000" is the code -1. */
export function isFailureCode(codes: SensorColumn['missing']): (cell: string) => boolean {
  const texts = new Set<unknown>(codes);
  return (cell) => {
    const text = cell.trim();
    return texts.has(text) || (text !== '' && texts.has(Number(text)));
  };
}

/** Lets the values of a row show how the file writes its figures. */
export function learnFigures(cells: readonly string[], layout: CsvLayout): void {
  const { figures } = layout;
  if (layout.kind === 'wide') {
    for (const { index, type, unit } of layout.sensors)
      parseMeasurement(cells[index] ?? '', measurementRange(type), unit, figures);
    return;
  }

  const type = parseMeasurementType(cells[layout.type] ?? '');
  if (type === null) return;
  const unit = layout.valueUnit?.type === type ? layout.valueUnit : null;
  parseMeasurement(cells[layout.value] ?? '', measurementRange(type), unit, figures);
}
