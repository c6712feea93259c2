import { lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import {
  type TensionFill,
  type ThresholdFill,
  tensionLines,
  thresholdLines,
} from '../../domain/alerts/drawn-lines.ts';
import { stressPointOf } from '../../domain/soil/allowed-depletion.ts';
import { toDrawing } from '../../language/alerts/drawing.ts';
import type { ListedAlertBody } from '../../schema/alerts/alert.ts';
import type { AnnotationBody } from '../../schema/alerts/annotation.ts';
import type { AgronomicStateBody } from '../../schema/moisture/series.ts';

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

export interface ProbeLevels {
  readonly state: AgronomicStateBody;
  /** In force, oldest first: the last one counts. */
  readonly alerts: readonly ListedAlertBody[];
  /** Oldest first. */
  readonly annotations: readonly AnnotationBody[];
}

/** The style by which a drawn line is known. */
export const LINE_FILLS = {
  fieldCapacity: 'threshold1',
  wiltingPoint: 'threshold2',
  wetLevel: 'wet',
  dryLevel: 'dry',
} as const satisfies Partial<Record<LineKind, ThresholdFill | TensionFill>>;

export const lineOf = (
  kind: LineKind,
  value: number,
  alert: WatchingAlert | null = null,
  annotationId: string | null = null,
): ThresholdLine => ({ id: kind, kind, value, alert, annotationId });

/** The lines that count, by the rules of annotations. */
export function thresholdLinesOf({ state, alerts, annotations }: ProbeLevels): ThresholdLine[] {
  const drawings = annotations.map((annotation) => ({
    ...toDrawing(annotation),
    id: annotation.id,
  }));

  if (state.tension !== undefined)
    return (['wetLevel', 'dryLevel'] as const).flatMap((kind) => {
      const drawing = tensionLines(drawings, LINE_FILLS[kind]).at(-1);
      return drawing ? [lineOf(kind, lineHeightInUnit(drawing), null, drawing.id)] : [];
    });

  const soilLines = (['fieldCapacity', 'wiltingPoint'] as const).flatMap((kind) => {
    const drawing = thresholdLines(drawings, LINE_FILLS[kind]).at(-1);
    const value = drawing ? lineHeightInUnit(drawing) : state[kind];
    const alert = drawing && alerts.findLast(({ annotationId }) => annotationId === drawing.id);
    return value === null ? [] : [lineOf(kind, value, alert, drawing?.id)];
  });

  const alertLines = alerts
    .filter(({ id }) => !soilLines.some(({ alert }) => alert?.id === id))
    .map((alert) => ({
      ...lineOf('alert', Number(alert.threshold), alert),
      id: alert.id,
    }));

  return [...soilLines, ...alertLines];
}

/** The alert whose episodes are drawn: the newest of several. */
export const watchingAlertOf = ({ alerts }: Pick<ProbeLevels, 'alerts'>): WatchingAlert | null =>
  alerts.at(-1) ?? null;

export const isTensionLevel = ({ kind }: Pick<ThresholdLine, 'kind'>): boolean =>
  kind === 'wetLevel' || kind === 'dryLevel';

/** The band without stress; it follows a line that is being pulled. */
export function comfortBand(
  { state }: Pick<ProbeLevels, 'state'>,
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

/** Pulling a wilting point moves its alert; drawing a new one creates an alert. */
export const hasAlertOnceSaved = ({ kind, alert, annotationId }: ThresholdLine): boolean =>
  kind === 'alert' ||
  kind === 'newAlert' ||
  (kind === 'wiltingPoint' && (alert !== null || annotationId === null));
