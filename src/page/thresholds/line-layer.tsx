import { placeLabels } from '../../chart/side-labels.ts';
import type { ThemeColours } from '../../chart/theme.ts';
import type { ChartTexts } from '../chart/chart-texts.ts';
import { type AxisRange, inPx, type PlotLayout, yOf } from '../chart/plot-layout.ts';
import { isTensionLevel, type LineKind, type ThresholdLine } from './threshold-lines.ts';

interface LineLayerProps {
  readonly layout: PlotLayout;
  readonly range: AxisRange;
  readonly colours: ThemeColours;
  readonly texts: ChartTexts;
  readonly lines: readonly ThresholdLine[];
  readonly stress: number | null;
  readonly pulledId: string | null;
  readonly canWrite: boolean;
  onKey(line: ThresholdLine, event: KeyboardEvent): void;
}

function lineColour(kind: LineKind, colours: ThemeColours): string {
  if (kind === 'fieldCapacity' || kind === 'wetLevel') return colours.fieldCapacity;
  return kind === 'dryLevel' ? colours.stress : colours.alert;
}

/** The names that the picture of chart_moisture uses, as lines of text. */
const namesOf = ({ kind, alert }: ThresholdLine, { labels, page }: ChartTexts): readonly string[] =>
  ({
    newAlert: [page.newAlert],
    fieldCapacity: labels.fieldCapacity,
    wiltingPoint: alert === null ? labels.wilting : labels.wiltingAndAlert,
    alert: labels.alert,
    wetLevel: labels.wetLevel,
    dryLevel: labels.dryLevel,
  })[kind];

export const lineName = (line: ThresholdLine, texts: ChartTexts): string =>
  namesOf(line, texts).join(' ');

/** The name on one line, or on two if it is long. */
function nameLines(line: ThresholdLine, texts: ChartTexts): readonly string[] {
  const name = lineName(line, texts);
  return name.length <= 12 ? [name] : namesOf(line, texts);
}

interface SideLabel {
  readonly line: ThresholdLine | null;
  readonly names: readonly string[];
  readonly value: number;
  readonly colour: string;
}

const LINE_HEIGHT = 15;
const MIN_HANDLE_HEIGHT = 44;
/** Half the height of the strip around a line in which a finger hits it. */
const STRIP_HALF = 14;

export function LineLayer(props: LineLayerProps) {
  const { layout, range, colours, texts, lines, stress, canWrite } = props;
  const labels: SideLabel[] = [
    ...lines.map((line) => ({
      line,
      names: nameLines(line, texts),
      value: line.value,
      colour: lineColour(line.kind, colours),
    })),
    ...(stress === null
      ? []
      : [{ line: null, names: texts.labels.stress, value: stress, colour: colours.stress }]),
  ];

  const heights = labels.map(({ line, names }) =>
    Math.max(
      canWrite && line !== null ? MIN_HANDLE_HEIGHT : 0,
      (names.length + 1) * LINE_HEIGHT + 4,
    ),
  );
  const middles = placeLabels(
    labels.map(({ value }, index) => ({
      at: yOf(value, range, layout) - layout.top,
      height: heights[index]!,
    })),
    layout.height - layout.top,
  );

  return (
    <>
      <svg class="chart-lines" width={layout.width} height={layout.height} aria-hidden="true">
        {labels.map(({ line, value, colour }, index) => {
          const y = yOf(value, range, layout);
          const isPulled = line !== null && line.id === props.pulledId;
          const isWatched = line?.alert != null || line?.kind === 'newAlert';

          return (
            <g key={line?.id ?? 'stress'} stroke={colour} stroke-width={isPulled ? 3.5 : 2}>
              <line
                x1={layout.left}
                x2={layout.right}
                y1={y}
                y2={y}
                stroke-dasharray={isWatched ? '9 6' : undefined}
              />
              <line
                x1={layout.right}
                x2={layout.right + 9}
                y1={y}
                y2={layout.top + middles[index]!}
                stroke-width="1.5"
              />
            </g>
          );
        })}
      </svg>
      {labels.map((label, index) => (
        <SideLabelElement
          key={label.line?.id ?? 'stress'}
          {...props}
          label={label}
          middle={middles[index]!}
          height={heights[index]!}
        />
      ))}
      {canWrite &&
        lines.map((line) => (
          <div
            key={line.id}
            class="chart-strip"
            data-area
            data-line={line.id}
            style={inPx({
              top: yOf(line.value, range, layout) - STRIP_HALF,
              height: 2 * STRIP_HALF,
              left: layout.left,
              width: layout.right - layout.left,
            })}
          />
        ))}
    </>
  );
}

interface SideLabelElementProps extends LineLayerProps {
  readonly label: SideLabel;
  readonly middle: number;
  readonly height: number;
}

function SideLabelElement({ label, middle, height, ...props }: SideLabelElementProps) {
  const { layout, texts, canWrite, pulledId, onKey } = props;
  const { line, names, value, colour } = label;
  const place = inPx({ top: layout.top + middle - height / 2, height, left: layout.right + 8 });
  const style = { ...place, color: colour };
  const content = (
    <span class="chart-label-text">
      {names.map((name) => (
        <span key={name}>{name}</span>
      ))}
      <b>{texts.value(value)}</b>
    </span>
  );
  if (line === null || !canWrite)
    return (
      <div class="chart-label" style={style}>
        {content}
      </div>
    );

  return (
    <div
      class={`chart-label chart-handle${line.id === pulledId ? ' is-pulled' : ''}`}
      style={style}
      role="slider"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={lineName(line, texts)}
      aria-valuemin={0}
      aria-valuemax={isTensionLevel(line) ? 1500 : 100}
      aria-valuenow={value}
      aria-valuetext={texts.value(value)}
      data-line={line.id}
      data-handle
      onKeyDown={(event) => onKey(line, event)}
    >
      {content}
    </div>
  );
}
