import { valueY } from '../../chart/layout.ts';
import { placeLabels } from '../../chart/side-labels.ts';
import { itemAt } from '../../domain/items.ts';
import { MAX_TENSION_KPA } from '../../domain/moisture/tension/tension-state.ts';
import type { ChartModel } from '../chart/chart-model.ts';
import type { ChartTexts } from '../chart/chart-texts.ts';
import { COLOURS } from '../chart/drawing/colours.ts';
import { inPx } from '../chart/drawing/plot-layout.ts';
import { MAX_PERCENT } from './line-values.ts';
import { isTensionLevel, type LineKind, type ThresholdLine } from './threshold-lines.ts';

interface LineLayerProps extends Pick<ChartModel, 'layout' | 'range' | 'texts' | 'lines'> {
  readonly stress: number | null;
  readonly pulledId: string | null;
  readonly canWrite: boolean;
  onKey(line: ThresholdLine, event: KeyboardEvent): void;
}

function lineColour(kind: LineKind): string {
  if (kind === 'fieldCapacity' || kind === 'wetLevel') return COLOURS.fieldCapacity;
  return kind === 'dryLevel' ? COLOURS.stress : COLOURS.alert;
}

/** The names that the picture of chart_moisture uses, as lines of text. */
const namesOf = (
  { kind, alert }: ThresholdLine,
  { labels, phrases }: ChartTexts,
): readonly string[] =>
  ({
    newAlert: [phrases.newAlert],
    fieldCapacity: labels.fieldCapacity,
    wiltingPoint: alert === null ? labels.wilting : labels.wiltingAndAlert,
    alert: labels.alert,
    wetLevel: labels.wetLevel,
    dryLevel: labels.dryLevel,
  })[kind];

export const lineName = (line: ThresholdLine, texts: ChartTexts): string =>
  namesOf(line, texts).join(' ');

const MAX_LINE_LENGTH = 12;

/** The name on one line, or on two if it is long. */
function nameLines(line: ThresholdLine, texts: ChartTexts): readonly string[] {
  const name = lineName(line, texts);
  return name.length <= MAX_LINE_LENGTH ? [name] : namesOf(line, texts);
}

/** A line, or the stress point, which no one can pull. */
interface DrawnLevel {
  readonly line: ThresholdLine | null;
  readonly names: readonly string[];
  readonly value: number;
  readonly colour: string;
}

/** In px from the top of the chart. */
interface PlacedLevel extends DrawnLevel {
  readonly y: number;
  /** The middle and height of its label. */
  readonly labelY: number;
  readonly height: number;
}

const LINE_HEIGHT = 15;
const MIN_HANDLE_HEIGHT = 44;
/** Half the height of the strip around a line in which a finger hits it. */
const STRIP_HALF = 14;

export function LineLayer(props: LineLayerProps) {
  const { layout, range, lines, canWrite } = props;
  const levels = placedLevels(props);

  return (
    <>
      <svg width={layout.width} height={layout.height} aria-hidden="true">
        {levels.map((level) => levelLine(level, props))}
      </svg>
      {levels.map((level) => (
        <SideLabel key={keyOf(level)} {...props} level={level} />
      ))}
      {canWrite &&
        lines.map((line) => (
          <div
            key={line.id}
            class="chart-strip"
            data-area
            data-line={line.id}
            style={inPx({
              top: valueY(line.value, range, layout) - STRIP_HALF,
              height: 2 * STRIP_HALF,
              left: layout.left,
              width: layout.right - layout.left,
            })}
          />
        ))}
    </>
  );
}

function placedLevels(props: LineLayerProps): PlacedLevel[] {
  const { layout, range, canWrite } = props;
  const levels = levelsOf(props).map((level) => {
    const textHeight = (level.names.length + 1) * LINE_HEIGHT + 4;
    const isHandle = canWrite && level.line !== null;
    return {
      ...level,
      y: valueY(level.value, range, layout),
      height: isHandle ? Math.max(MIN_HANDLE_HEIGHT, textHeight) : textHeight,
    };
  });
  const middles = placeLabels(
    levels.map(({ y, height }) => ({ y: y - layout.top, height })),
    layout.height - layout.top,
  );

  return levels.map((level, index) => ({ ...level, labelY: layout.top + itemAt(middles, index) }));
}

function levelsOf({ lines, stress, texts }: LineLayerProps): DrawnLevel[] {
  const levels = lines.map(
    (line): DrawnLevel => ({
      line,
      names: nameLines(line, texts),
      value: line.value,
      colour: lineColour(line.kind),
    }),
  );
  if (stress !== null)
    levels.push({ line: null, names: texts.labels.stress, value: stress, colour: COLOURS.stress });

  return levels;
}

const keyOf = ({ line }: DrawnLevel): string => line?.id ?? 'stress';

/** From axis to axis, and on to its label; dashed if an alert watches it. */
function levelLine(level: PlacedLevel, { layout: { left, right }, pulledId }: LineLayerProps) {
  const { line, colour, y, labelY } = level;
  const isWatched = line !== null && (line.alert !== null || line.kind === 'newAlert');
  return (
    <g key={keyOf(level)} stroke={colour} stroke-width={line?.id === pulledId ? 3.5 : 2}>
      <line x1={left} x2={right} y1={y} y2={y} stroke-dasharray={isWatched ? '9 6' : undefined} />
      <line x1={right} x2={right + 9} y1={y} y2={labelY} stroke-width="1.5" />
    </g>
  );
}

function SideLabel(props: LineLayerProps & { readonly level: PlacedLevel }) {
  const { level, layout, texts, canWrite, pulledId, onKey } = props;
  const { line, names, value, colour, labelY, height } = level;
  const box = inPx({ top: labelY - height / 2, height, left: layout.right + 8 });
  const style = { ...box, color: colour };
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
      aria-valuemax={isTensionLevel(line) ? MAX_TENSION_KPA : MAX_PERCENT}
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
