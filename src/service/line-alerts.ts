import {
  alertSteps,
  decimalText,
  heightOf,
  pointsAtHeight,
  thresholdLines,
  thresholdOf,
} from '../domain/annotation.ts';
import type { Books, Call } from '../operation/call.ts';
import { ALERT_DEFAULTS, addAlert, alertOfLine } from '../store/alerts.ts';
import { type Annotation, annotationById, annotationsOn, changeAnnotation } from '../store/annotations.ts';
import { beginWatch, rearm } from './alert-arming.ts';
import { alertWords } from './say-alert.ts';
import { sayFigure } from './say-figures.ts';

/** The alerts that wilting-point lines drive: the newest line of a probe has the one that watches. */

/** The wilting-point lines of a probe, oldest first. */
export const wiltingPointLines = async (call: Pick<Call, 'db'>, moduleId: number): Promise<Annotation[]> =>
  thresholdLines(await annotationsOn(call.db, moduleId, 'humidity'), 'threshold2');

const asWiltingPoint = (line: Annotation) => ({ id: line.id, height: heightOf(line) });

/**
 * Brings the alerts of a probe to what its wilting-point lines say now, after `before` was so and the drawing `changedId`
 * changed. Returns the alert of that drawing where it is disabled now.
 */
export async function followLines(
  call: Call,
  moduleId: number,
  before: readonly Annotation[],
  changedId: string,
): Promise<string | null> {
  const lines = await wiltingPointLines(call, moduleId);
  const { disarm, move, arm } = alertSteps(before.map(asWiltingPoint), lines.map(asWiltingPoint));
  const words = alertWords(call);
  let disabled: string | null = null;
  for (const lineId of disarm) {
    const alertId = await disarmAlert(call, lineId);
    if (alertId === null) continue;
    const height = heightOf(before.find((line) => line.id === lineId)!);
    call.remark(lineId === changedId ? words.ownDisabled : words.olderDisabled(sayFigure(height, call.lang)));
    if (lineId === changedId) disabled = alertId;
  }
  for (const { id, height } of move) await moveAlert(call, id, height);
  if (arm) {
    await armAlert(call, lines.at(-1)!);
    const { ownArmed, olderArmed } = words;
    call.remark((arm.id === changedId ? ownArmed : olderArmed)(sayFigure(arm.height, call.lang)));
  }
  const counting = lines.at(-1);
  if (counting && counting.id !== changedId && lines.some((line) => line.id === changedId))
    call.remark(words.newerCounts(sayFigure(heightOf(counting), call.lang)));
  return disabled;
}

async function disarmAlert(call: Call, lineId: string): Promise<string | null> {
  const alert = await alertOfLine(call.db, lineId);
  if (!alert?.isActive) return null;
  await rearm(call, alert, { isActive: false });
  return alert.id;
}

async function moveAlert(call: Call, lineId: string, height: number): Promise<void> {
  const alert = await alertOfLine(call.db, lineId);
  if (!alert) return;
  await rearm(call, alert, { threshold: decimalText(height) });
  const from = sayFigure(Number(alert.threshold), call.lang);
  call.remark(alertWords(call).moved(from, sayFigure(height, call.lang), alert.isActive));
}

/** Who asks is the author of a new alert; for a key without a user it is whoever drew the line. */
async function armAlert(call: Call, line: Annotation): Promise<void> {
  const threshold = decimalText(heightOf(line));
  const alert = await alertOfLine(call.db, line.id);
  if (alert) {
    await rearm(call, alert, { threshold, isActive: true });
    return;
  }
  const born = {
    moduleId: line.moduleId,
    parcelId: null,
    annotationId: line.id,
    threshold,
    ...ALERT_DEFAULTS,
    source: 'annotation' as const,
    createdBy: call.caller.userId ?? line.userId,
  };
  const id = await addAlert(call.db, born, call.now);
  await beginWatch(call, { id, moduleId: line.moduleId });
}

/**
 * Moves the line that an alert was born from to the alert's new threshold (a decimal, % volumetric moisture). A line that is
 * gone, or no wilting point any more, stays as it is: false.
 */
export async function moveLineOfAlert(call: Books, annotationId: string, threshold: string): Promise<boolean> {
  const line = await annotationById(call.db, annotationId);
  if (line === null || thresholdOf(line) !== 'threshold2') return false;
  const points = pointsAtHeight(line, Number(threshold));
  await changeAnnotation(call.db, line.id, { ...points, content: line.content }, call.now);
  return true;
}
