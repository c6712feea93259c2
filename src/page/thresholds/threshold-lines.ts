import {
  lineHeightInUnit,
  type TensionFill,
  type ThresholdFill,
  tensionLines,
  thresholdLines,
} from '../../domain/alerts/annotation.ts';
import { roundTo } from '../../domain/decimal.ts';
import { MAX_TENSION_KPA } from '../../domain/moisture/agronomic-state.ts';
import { stressPointOf } from '../../domain/soil/allowed-depletion.ts';
import { toDrawing } from '../../language/alerts/drawing.ts';
import type { ListedAlertBody } from '../../schema/alerts/alert.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { AgronomicStateBody } from '../../schema/moisture/series.ts';
import type { ServiceCall } from '../service/page-operations.ts';

export type LineKind =
  | 'fieldCapacity'
  | 'wiltingPoint'
  | 'alert'
  | 'newAlert'
  | 'wetLevel'
  | 'dryLevel';

export type WatchingAlert = Pick<
  ListedAlertBody,
  'id' | 'threshold' | 'hysteresis' | 'reminderTime'
>;

/** A line that a person can pull. */
export interface ThresholdLine {
  readonly id: string;
  readonly kind: LineKind;
  /** % by volume, or kPa. */
  readonly value: number;
  /** The alert that watches the line. */
  readonly alert: WatchingAlert | null;
  /**
   * The annotation of a drawn line; null for a figure of the soil profile, which a new drawing
   * replaces.
   */
  readonly annotationId: string | null;
}

export interface ProbeFacts {
  readonly state: AgronomicStateBody;
  /** In force, in the order of their creation: the last one counts. */
  readonly alerts: readonly ListedAlertBody[];
  /** Oldest first. */
  readonly annotations: readonly AnnotationBody[];
}

type SoilLineKind = 'fieldCapacity' | 'wiltingPoint';

/** The style of a drawn line. */
const FILLS = {
  fieldCapacity: 'threshold1',
  wiltingPoint: 'threshold2',
  wetLevel: 'wet',
  dryLevel: 'dry',
} as const satisfies Partial<Record<LineKind, ThresholdFill | TensionFill>>;

const lineOf = (
  kind: LineKind,
  value: number,
  alert: WatchingAlert | null = null,
  annotationId: string | null = null,
): ThresholdLine => ({ id: kind, kind, value, alert, annotationId });

/** The lines that count, by the rules of annotations. */
export function thresholdLinesOf({ state, alerts, annotations }: ProbeFacts): ThresholdLine[] {
  const drawings = annotations.map((annotation) => ({
    ...toDrawing(annotation),
    id: annotation.id,
  }));

  if (state.tension !== undefined)
    return (['wetLevel', 'dryLevel'] as const).flatMap((kind) => {
      const drawing = tensionLines(drawings, FILLS[kind]).at(-1);
      return drawing ? [lineOf(kind, lineHeightInUnit(drawing), null, drawing.id)] : [];
    });

  const soil = (['fieldCapacity', 'wiltingPoint'] as const).flatMap((kind: SoilLineKind) => {
    const drawing = thresholdLines(drawings, FILLS[kind]).at(-1);
    const value = drawing ? lineHeightInUnit(drawing) : state[kind];
    const alert = drawing && alerts.findLast(({ annotationId }) => annotationId === drawing.id);
    return value === null ? [] : [lineOf(kind, value, alert, drawing?.id)];
  });

  const others = alerts
    .filter(({ id }) => !soil.some(({ alert }) => alert?.id === id))
    .map((alert) => ({
      ...lineOf('alert', Number(alert.threshold), alert),
      id: alert.id,
    }));

  return [...soil, ...others];
}

/** The alert whose episodes are drawn: the newest of several. */
export const watchingAlertOf = ({ alerts }: Pick<ProbeFacts, 'alerts'>): WatchingAlert | null =>
  alerts.at(-1) ?? null;

const STEP = 0.1;
export const toTenth = (value: number): number => roundTo(value, 1);
/** The service refuses lower figures, which may be meant as fractions. */
const MIN_PERCENT = 1;
const MAX_PERCENT = 100;

export const isTensionLevel = ({ kind }: Pick<ThresholdLine, 'kind'>): boolean =>
  kind === 'wetLevel' || kind === 'dryLevel';

const stepOf = (line: ThresholdLine): number => (isTensionLevel(line) ? 1 : STEP);

/** The change in value that a key makes; null for other keys. */
export function keyStep(
  line: ThresholdLine,
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
): number | null {
  const steps: Readonly<Record<string, number>> = {
    ArrowUp: shiftKey ? 10 : 1,
    ArrowDown: shiftKey ? -10 : -1,
    ArrowRight: 1,
    ArrowLeft: -1,
    PageUp: 10,
    PageDown: -10,
  };
  const count = steps[key];

  return count === undefined ? null : count * stepOf(line);
}

/**
 * In tenths of a percent or whole kPa, within what the service accepts, and on its own side of the
 * other line.
 */
export function allowedValue(
  line: ThresholdLine,
  value: number,
  all: readonly ThresholdLine[],
): number {
  const step = stepOf(line);
  const other = (kind: LineKind, otherwise: number): number =>
    all.find((line) => line.kind === kind)?.value ?? otherwise;

  const ranges: Partial<Record<LineKind, readonly [least: number, most: number]>> = {
    fieldCapacity: [Math.max(MIN_PERCENT, other('wiltingPoint', 0) + step), MAX_PERCENT],
    wiltingPoint: [MIN_PERCENT, other('fieldCapacity', MAX_PERCENT + step) - step],
    wetLevel: [1, other('dryLevel', MAX_TENSION_KPA + 1) - 1],
    dryLevel: [other('wetLevel', 0) + 1, MAX_TENSION_KPA],
  };
  const [least, most] = ranges[line.kind] ?? [MIN_PERCENT, MAX_PERCENT];
  const rounded = Math.round(value / step) * step;

  return toTenth(Math.min(Math.max(rounded, least), most));
}

/** The band without stress; it follows a line that is being pulled. */
export function comfortBand(
  { state }: Pick<ProbeFacts, 'state'>,
  lines: readonly ThresholdLine[],
): { readonly stress: number | null; readonly from: number; readonly to: number } | null {
  const valueOfKind = (kind: LineKind): number | null =>
    lines.find((line) => line.kind === kind)?.value ?? null;

  if (state.tension !== undefined) {
    const [wet, dry] = [valueOfKind('wetLevel'), valueOfKind('dryLevel')];
    return wet === null || dry === null || wet >= dry ? null : { stress: null, from: wet, to: dry };
  }

  const [capacity, wilting] = [valueOfKind('fieldCapacity'), valueOfKind('wiltingPoint')];
  if (capacity === null || wilting === null || wilting >= capacity) return null;

  const stress = stressPointOf(capacity, wilting, state.allowedDepletion);
  return { stress, from: stress, to: capacity };
}

export type Saving = ServiceCall<
  'update_alert' | 'create_alert' | 'update_annotation' | 'create_annotation'
>;

/**
 * A drawn line moves the threshold of its alert with it; a figure of the soil profile is replaced
 * by a drawing.
 */
export function savingOf(line: ThresholdLine, value: number, moduleId: number): Saving {
  const { id, kind, annotationId } = line;
  if (annotationId !== null)
    return { operation: 'update_annotation', fields: { annotationId, value } };
  if (kind === 'newAlert')
    return { operation: 'create_alert', fields: { moduleId, threshold: value } };
  if (kind === 'alert')
    return { operation: 'update_alert', fields: { alertId: id, threshold: value } };

  const fill = FILLS[kind];
  const chartType = isTensionLevel(line) ? 'tensio' : 'humidity';
  return {
    operation: 'create_annotation',
    fields: { moduleId, chartType, type: 'h-line', value, style: { fill } },
  };
}

/** Pulling a wilting point moves its alert; drawing a new one creates an alert. */
export const watchesWith = ({ kind, alert, annotationId }: ThresholdLine): boolean =>
  kind === 'alert' ||
  kind === 'newAlert' ||
  (kind === 'wiltingPoint' && (alert !== null || annotationId === null));

/**
 * Lines that a person may add. Where nothing says where they belong, they begin in the middle of
 * what plants can use.
 */
export function offersOf(facts: ProbeFacts): ThresholdLine[] {
  const drawn = thresholdLinesOf(facts);
  return possibleLines(facts).filter(({ kind }) => !drawn.some((line) => line.kind === kind));
}

function possibleLines({ state, alerts }: ProbeFacts): ThresholdLine[] {
  const { tension, value_vwc: moisture } = state;
  if (tension !== undefined)
    return [
      lineOf('wetLevel', tension.typical?.wetLevel ?? 10),
      lineOf('dryLevel', tension.typical?.dryFrom ?? 50),
    ];

  if (moisture === null) return [];

  const wilting = state.wiltingPoint ?? 10;
  const capacity = state.fieldCapacity ?? MAX_PERCENT;
  const lines = [
    lineOf('fieldCapacity', toTenth(Math.max(wilting + 1, moisture))),
    lineOf('wiltingPoint', toTenth(Math.min(wilting, capacity / 2))),
  ];
  const alertAt = state.stressPoint ?? Math.max(wilting + 1, moisture - 2);
  return alerts.length > 0 ? lines : [lineOf('newAlert', toTenth(alertAt)), ...lines];
}
