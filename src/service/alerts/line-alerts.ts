import { ALERT_DEFAULTS } from '../../domain/alerts/alert-episodes.ts';
import {
  type AnnotationDrawing,
  lineHeightInUnit,
  pointsAtHeight,
} from '../../domain/alerts/annotation.ts';
import {
  isLineOfFill,
  planLineAlertChanges,
  thresholdFillOf,
} from '../../domain/alerts/drawn-lines.ts';
import { formatPlainDecimal } from '../../domain/decimal.ts';
import { entryOf, lastOf } from '../../domain/items.ts';
import { say } from '../../domain/text/say.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { alertStateOf } from '../../store/alerts/alert-states.ts';
import { addAlert, alertOfAnnotation } from '../../store/alerts/alerts.ts';
import {
  type Annotation,
  annotationById,
  changeAnnotation,
  newestLine,
} from '../../store/alerts/annotations.ts';
import { requireOwnModule, requireUser } from '../ownership.ts';
import { applyAlertChange, startEvaluation } from './alert-lifecycle.ts';
import { WATCHED_VALUES } from './kinds/watched-values.ts';
import { adviseOfNotice } from './means-of-notice.ts';

const isWiltingPoint = (drawing: AnnotationDrawing | null): boolean =>
  drawing !== null && isLineOfFill(drawing, 'threshold2');

/**
 * Each line creates an alert; only the alert of the newest line is active. So a change of a drawing
 * concerns its own line, if it is one, and the newest line: oldest first.
 */
async function concernedLines(
  { db }: Pick<Call, 'db'>,
  moduleId: number,
  drawingId: string | null,
): Promise<Annotation[]> {
  const newest = await newestLine(db, moduleId, 'threshold2');
  if (newest === null) return [];

  const drawing =
    drawingId === null || drawingId === newest.id ? null : await annotationById(db, drawingId);
  return drawing && isWiltingPoint(drawing) ? [drawing, newest] : [newest];
}

/** To be called before a drawing changes; null if no alert depends on it. */
export async function linesBefore(
  call: Pick<Call, 'db'>,
  moduleId: number,
  { before, after }: { before: Annotation | null; after: AnnotationDrawing | null },
): Promise<Annotation[] | null> {
  if (!isWiltingPoint(before) && !isWiltingPoint(after)) return null;
  return concernedLines(call, moduleId, before?.id ?? null);
}

const idAndHeight = (line: Annotation) => ({ id: line.id, height: lineHeightInUnit(line) });

/**
 * `before` is what `linesBefore` gave before the drawing `changedId` was changed. Returns the id of
 * the alert of that drawing if it was disabled.
 */
export async function syncLineAlerts(
  call: Call,
  moduleId: number,
  before: readonly Annotation[] | null,
  changedId: string,
): Promise<string | null> {
  if (before === null) return null;

  const lines = await concernedLines(call, moduleId, changedId);
  const { disable, update, enable } = planLineAlertChanges(
    before.map(idAndHeight),
    lines.map(idAndHeight),
  );
  const lineById = new Map(before.map((line) => [line.id, line]));
  let disabledAlertId: string | null = null;

  for (const lineId of disable) {
    const alertId = await disableLineAlert(call, lineId);
    if (alertId === null) continue;
    const height = lineHeightInUnit(entryOf(lineById, lineId));
    call.advise(
      lineId === changedId
        ? { kind: 'own_alert_disabled' }
        : { kind: 'older_alert_disabled', height },
    );
    if (lineId === changedId) disabledAlertId = alertId;
  }

  for (const { id, height } of update) await moveLineAlert(call, id, height);
  if (enable) {
    const alertId = await enableLineAlert(call, lastOf(lines));
    const kind = enable.id === changedId ? 'own_alert_enabled' : 'older_alert_enabled';
    call.advise({ kind, height: enable.height });
    await adviseOfLineNotice(call, moduleId, alertId);
  }

  const newestLine = lines.at(-1);
  if (newestLine && newestLine.id !== changedId && lines.some((line) => line.id === changedId))
    call.advise({ kind: 'newer_line_counts', height: lineHeightInUnit(newestLine) });

  return disabledAlertId;
}

async function adviseOfLineNotice(call: Call, moduleId: number, alertId: string): Promise<void> {
  const module = await requireOwnModule(call, moduleId);
  if (await WATCHED_VALUES.moisture.isMeasuredBy(call, module))
    await adviseOfNotice(call, alertId, [
      { moduleId, state: await alertStateOf(call.db, alertId) },
    ]);
}

async function disableLineAlert(call: Call, lineId: string): Promise<string | null> {
  const alert = await alertOfAnnotation(call.db, lineId);
  if (!alert?.isActive) return null;
  await applyAlertChange(call, alert, { isActive: false });
  return alert.id;
}

async function moveLineAlert(call: Call, lineId: string, height: number): Promise<void> {
  const alert = await alertOfAnnotation(call.db, lineId);
  if (!alert) return;
  await applyAlertChange(call, alert, { threshold: formatPlainDecimal(height) });
  call.advise({
    kind: 'line_alert_moved',
    from: alert.threshold,
    to: height,
    isActive: alert.isActive,
  });
}

/** A key without a user creates no alert, whichever way. Source: spec, "Authentication". */
async function enableLineAlert(call: Call, line: Annotation): Promise<string> {
  const threshold = formatPlainDecimal(lineHeightInUnit(line));
  const alert = await alertOfAnnotation(call.db, line.id);
  if (alert) {
    await applyAlertChange(call, alert, { threshold, isActive: true });
    return alert.id;
  }

  const createdBy = requireUser(call, say`The alert of a wilting point needs a recipient.`);
  const newAlert = {
    moduleId: line.moduleId,
    parcelId: null,
    annotationId: line.id,
    threshold,
    ...ALERT_DEFAULTS,
    source: 'annotation' as const,
    createdBy,
  };

  const added = await addAlert(call.db, newAlert, call.now);
  await startEvaluation(call, added);
  return added.id;
}

/** `threshold` in %. Returns false if the line was deleted or is no longer a wilting point. */
export async function moveLineOfAlert(
  call: WriteContext,
  annotationId: string,
  threshold: string,
): Promise<boolean> {
  const line = await annotationById(call.db, annotationId);
  if (line === null || thresholdFillOf(line) !== 'threshold2') return false;
  const points = pointsAtHeight(line, Number(threshold));
  await changeAnnotation(call.db, line.id, { ...line, ...points }, call.now);
  return true;
}
