import { useState } from 'preact/hooks';
import { pointEnd, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { formatChartPeriod } from '../../language/advice/chart-labels.ts';
import { formatWaterFigure, waterUnitOf } from '../../language/american-quantities.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { lineName } from '../thresholds/line-layer.tsx';
import type { ChartModel } from './chart-model.ts';
import type { ChartTexts } from './chart-texts.ts';
import { describeDone } from './data/done-water.ts';
import { notesOf } from './drawing/annotation-marks.tsx';

type TableModel = Pick<
  ChartModel,
  'view' | 'texts' | 'curve' | 'waterings' | 'rain' | 'lines' | 'facts'
>;

interface TableRow extends Period {
  readonly mean: number | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly watering: string;
  readonly rainMm: number;
}

const MAX_ROWS = 48;
const ROW_STEPS_MS = [HOUR_MS, 3 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS];
/** Enough for the longest view, ten years. */
const LONGEST_STEP_MS = 112 * DAY_MS;

/** Whole hours, days or weeks of the farm's clock, so that the view fills at most 48 rows. */
function tableRows(model: TableModel): TableRow[] {
  const { view, texts } = model;
  const span = view.end - view.start;
  const step = ROW_STEPS_MS.find((ms) => span / ms <= MAX_ROWS) ?? LONGEST_STEP_MS;
  const rows: TableRow[] = [];

  for (let start = pointStart(view.start, step, texts.zone); start < view.end; ) {
    const end = pointEnd(start, step, texts.zone);
    rows.push(tableRow(model, { start, end }));
    start = end;
  }

  return rows;
}

function tableRow({ curve, waterings, rain, texts }: TableModel, row: Period): TableRow {
  const isInRow = ({ at }: { readonly at: number }): boolean => at >= row.start && at < row.end;

  const values = curve.points.filter(isInRow).flatMap(({ value }) => value ?? []);
  const isEmpty = values.length === 0;

  return {
    ...row,
    mean: isEmpty ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
    least: isEmpty ? null : Math.min(...values),
    most: isEmpty ? null : Math.max(...values),
    watering: describeDone(waterings.filter(isInRow), {
      water: (mm) => formatWaterFigure(mm, texts),
      unknown: '?',
      assumed: texts.page.seenBy.assumed,
    }),
    rainMm: rain.filter(isInRow).reduce((sum, { mm }) => sum + mm, 0),
  };
}

/**
 * The figures of the chart, for those who do not see it. They are computed once the table is
 * opened.
 */
export function ValueTable(model: TableModel) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{model.texts.phrases.table}</summary>
      {isOpen && <TableOfView {...model} />}
    </details>
  );
}

function TableOfView(model: TableModel) {
  const { view, texts } = model;
  const { phrases, zone, labels } = texts;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section class="chart-table-scroll" tabIndex={0} aria-label={phrases.table}>
      <table>
        <caption>{phrases.tableOf(formatChartPeriod(view.start, view.end, zone, labels))}</caption>
        <thead>
          <tr>
            {phrases.columns(waterUnitOf(texts)).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tableRows(model).map((row) => (
            <Row key={row.start} row={row} texts={texts} />
          ))}
        </tbody>
      </table>
      <LineList {...model} />
      <NoteList {...model} />
    </section>
  );
}

function Row({ row, texts }: { readonly row: TableRow; readonly texts: ChartTexts }) {
  const isOfHours = row.end - row.start < DAY_MS / 2;
  return (
    <tr>
      <th scope="row">{isOfHours ? texts.instant(row.start) : texts.date(row.start)}</th>
      {[row.mean, row.least, row.most].map((value, index) => (
        <td key={index}>{value === null ? texts.phrases.gap : texts.value(value)}</td>
      ))}
      <td>{row.watering}</td>
      <td>{row.rainMm > 0 && formatWaterFigure(row.rainMm, texts)}</td>
    </tr>
  );
}

function LineList({ lines, texts }: TableModel) {
  const { phrases } = texts;
  return lines.length === 0 ? null : (
    <ul aria-label={phrases.linesTable}>
      {lines.map((line) => (
        <li key={line.id}>{phrases.lineAt(lineName(line, texts), texts.value(line.value))}</li>
      ))}
    </ul>
  );
}

function NoteList({ facts, texts }: TableModel) {
  const notes = notesOf(facts?.annotations ?? []);
  return notes.length === 0 ? null : (
    <ul aria-label={texts.phrases.notes}>
      {notes.map((annotation) => (
        <li key={annotation.id}>{describeNote(annotation, texts)}</li>
      ))}
    </ul>
  );
}

/** "today 06:15: Pump fixed", or the height of a level: "24: Old level". */
function describeNote({ type, p1, content }: AnnotationBody, texts: ChartTexts): string {
  const [at = 0, height = 0] = p1;
  const isLevel = type === 'h-line' || type === 'h-free';
  const position = isLevel ? texts.number(height) : texts.instant(at);
  return content.text ? `${position}: ${content.text}` : position;
}
