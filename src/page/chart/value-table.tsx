import { useState } from 'preact/hooks';
import type { ChartedRain, ChartedWatering } from '../../chart/moisture-chart.ts';
import { pointEnd, pointStart } from '../../domain/moisture/series-points.ts';
import { DAY_MS, HOUR_MS, type Period } from '../../domain/periods.ts';
import { formatChartPeriod } from '../../language/advice/chart-labels.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import { lineName } from '../thresholds/line-layer.tsx';
import type { ThresholdLine } from '../thresholds/threshold-lines.ts';
import { notesOf } from './annotation-marks.tsx';
import type { ChartTexts } from './chart-texts.ts';
import type { DepthsPoint } from './series.ts';

interface ValueTableProps {
  readonly view: Period;
  readonly texts: ChartTexts;
  readonly points: readonly DepthsPoint[];
  readonly waterings: readonly ChartedWatering[];
  readonly rain: readonly ChartedRain[];
  readonly lines: readonly ThresholdLine[];
  readonly annotations: readonly AnnotationBody[];
}

interface TableRow extends Period {
  readonly mean: number | null;
  readonly least: number | null;
  readonly most: number | null;
  readonly wateringMm: number;
  readonly hasUnknownDose: boolean;
  readonly rainMm: number;
}

const MAX_ROWS = 48;
const ROW_STEPS_MS = [HOUR_MS, 3 * HOUR_MS, DAY_MS, 7 * DAY_MS, 28 * DAY_MS, 112 * DAY_MS];

/** Whole hours, days or weeks of the farm's clock, so that the view fills at most 48 rows. */
function tableRows({
  view,
  points,
  waterings,
  rain,
  zone,
}: Pick<ValueTableProps, 'view' | 'points' | 'waterings' | 'rain'> & {
  readonly zone: string;
}): TableRow[] {
  const span = view.end - view.start;
  // The longest step is enough for the longest view, ten years.
  const step = ROW_STEPS_MS.find((each) => span / each <= MAX_ROWS)!;
  const rows: TableRow[] = [];
  for (
    let start = pointStart(view.start, step, zone);
    start < view.end;
    start = pointEnd(start, step, zone)
  ) {
    const row = { start, end: pointEnd(start, step, zone) };
    const isInRow = (at: number): boolean => at >= row.start && at < row.end;

    const values = points.flatMap(({ at, value }) =>
      isInRow(at) && value !== null ? [value] : [],
    );
    const done = waterings.filter(({ at, isPlanned }) => isInRow(at) && !isPlanned);
    const isEmpty = values.length === 0;

    rows.push({
      ...row,
      mean: isEmpty ? null : values.reduce((sum, value) => sum + value, 0) / values.length,
      least: isEmpty ? null : Math.min(...values),
      most: isEmpty ? null : Math.max(...values),
      wateringMm: done.reduce((sum, { mm }) => sum + (mm ?? 0), 0),
      hasUnknownDose: done.some(({ mm }) => mm === null),
      rainMm: rain.reduce((sum, { at, mm }) => sum + (isInRow(at) ? mm : 0), 0),
    });
  }

  return rows;
}

/**
 * The figures of the chart, for those who do not see it. They are computed once the table is
 * opened.
 */
export function ValueTable(props: ValueTableProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="chart-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.texts.page.table}</summary>
      {isOpen && <TableOfView {...props} />}
    </details>
  );
}

function TableOfView(props: ValueTableProps) {
  const { view, texts, lines, annotations } = props;
  const { page, zone, labels } = texts;
  const { columns } = page;
  const cell = (value: number | null): string => (value === null ? page.gap : texts.value(value));

  const notes = notesOf(annotations);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys
    <section class="chart-table-scroll" tabIndex={0} aria-label={page.table}>
      <table>
        <caption>{page.tableOf(formatChartPeriod(view.start, view.end, zone, labels))}</caption>
        <thead>
          <tr>
            {Object.values(columns).map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tableRows({ ...props, zone }).map((row) => (
            <tr key={row.start}>
              <th scope="row">
                {row.end - row.start < DAY_MS / 2
                  ? texts.instant(row.start)
                  : texts.date(row.start)}
              </th>
              <td>{cell(row.mean)}</td>
              <td>{cell(row.least)}</td>
              <td>{cell(row.most)}</td>
              <td>
                {[row.wateringMm > 0 && texts.number(row.wateringMm), row.hasUnknownDose && '?']
                  .filter(Boolean)
                  .join(' + ')}
              </td>
              <td>{row.rainMm > 0 && texts.number(row.rainMm)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > 0 && (
        <ul aria-label={page.linesTable}>
          {lines.map((line) => (
            <li key={line.id}>{page.lineAt(lineName(line, texts), texts.value(line.value))}</li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <ul aria-label={page.notes}>
          {notes.map(({ id, type, p1, content }) => (
            <li
              key={id}
            >{`${type === 'h-line' || type === 'h-free' ? texts.number(p1[1] ?? 0) : texts.instant(p1[0] ?? 0)}${content.text ? `: ${content.text}` : ''}`}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
