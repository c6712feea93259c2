import { measurementRange } from '../reading-values.ts';
import { parseMeasurement } from './cell-values.ts';
import { parseMeasurementType } from './column-names.ts';
import type { CsvLayout } from './csv-layout.ts';

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
