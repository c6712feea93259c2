import {
  alertSteps,
  decimalText,
  heightOf,
  pointsAtHeight,
  thresholdLines,
  thresholdOf,
} from '../domain/annotation.ts';
import type { Books, Call } from '../operation/call.ts';
import { addLineAlert, alertOfLine, changeAlert } from '../store/alerts.ts';
import { type Annotation, annotationById, annotationsOn, changeAnnotation } from '../store/annotations.ts';
import { sayFigure } from './say-watering.ts';

/** The alerts that wilting-point lines drive: the newest line of a probe has the one that watches. */

/** Said with every alert that is armed, as long as nothing watches them. */
const NOT_WATCHED = 'This version keeps alerts and does not watch them yet.';

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
  let disabled: string | null = null;
  for (const lineId of disarm) {
    const alertId = await disarmAlert(call, lineId);
    if (alertId === null) continue;
    const height = sayFigure(heightOf(before.find((line) => line.id === lineId)!));
    call.remark(
      lineId === changedId ? 'Its alert is disabled.' : `The alert of the older line at ${height} % is disabled.`,
    );
    if (lineId === changedId) disabled = alertId;
  }
  for (const { id, height } of move) await moveAlert(call, id, height);
  if (arm) {
    await armAlert(call, lines.at(-1)!);
    call.remark(
      arm.id === changedId
        ? `Its alert is armed at ${sayFigure(arm.height)} %. ${NOT_WATCHED}`
        : `The older wilting-point line at ${sayFigure(arm.height)} % counts again, and its alert is armed. ${NOT_WATCHED}`,
    );
  }
  const counting = lines.at(-1);
  if (counting && counting.id !== changedId && lines.some((line) => line.id === changedId))
    call.remark(`A newer wilting-point line at ${sayFigure(heightOf(counting))} % counts in its place.`);
  return disabled;
}

async function disarmAlert(call: Books, lineId: string): Promise<string | null> {
  const alert = await alertOfLine(call.db, lineId);
  if (!alert?.isActive) return null;
  await changeAlert(call.db, alert.id, { isActive: false }, call.now);
  return alert.id;
}

async function moveAlert(call: Call, lineId: string, height: number): Promise<void> {
  const alert = await alertOfLine(call.db, lineId);
  if (!alert) return;
  await changeAlert(call.db, alert.id, { threshold: decimalText(height) }, call.now);
  const which = alert.isActive ? 'Its alert' : 'Its alert, which is disabled,';
  call.remark(`${which} moves from ${sayFigure(Number(alert.threshold))} to ${sayFigure(height)} %.`);
}

/** Who asks is the author of a new alert; for a key without a user it is whoever drew the line. */
async function armAlert(call: Call, line: Annotation): Promise<void> {
  const threshold = decimalText(heightOf(line));
  const alert = await alertOfLine(call.db, line.id);
  if (alert) return changeAlert(call.db, alert.id, { threshold, isActive: true }, call.now);
  const userId = call.caller.userId ?? line.userId;
  await addLineAlert(call.db, {
    moduleId: line.moduleId,
    annotationId: line.id,
    threshold,
    userId,
    at: call.now,
  });
}

/**
 * Moves the line that an alert was born from to the alert's new threshold (a decimal, % volumetric moisture). A line that is
 * gone, or no wilting point any more, stays as it is.
 */
export async function moveLineOfAlert(call: Books, annotationId: string, threshold: string): Promise<void> {
  const line = await annotationById(call.db, annotationId);
  if (line === null || thresholdOf(line) !== 'threshold2') return;
  const points = pointsAtHeight(line, Number(threshold));
  await changeAnnotation(call.db, line.id, { ...points, content: line.content }, call.now);
}
