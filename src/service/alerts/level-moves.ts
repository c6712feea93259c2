import { lineHeightInUnit, pointsAtHeight } from '../../domain/alerts/annotation.ts';
import { lineOfCurve, type MovedLevel, moveLevel } from '../../domain/alerts/calibrated-levels.ts';
import { formatPlainDecimal } from '../../domain/decimal.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import {
  type CalibratedSensor,
  type Line,
  lineAt,
  type SensorCalibration,
} from '../../domain/moisture/calibration.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { WriteContext } from '../../operation/call.ts';
import type { MovedLevelBody } from '../../schema/moisture/calibration.ts';
import {
  type Alert,
  alertsAfter,
  type MovedThreshold,
  moveThresholds,
} from '../../store/alerts/alerts.ts';
import {
  type Annotation,
  changeAnnotation,
  linesOfModules,
} from '../../store/alerts/annotations.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import type { CalibrationContext, MoveLevels } from '../moisture/calibrated-settings.ts';
import { evaluateAfterCommit } from './alert-lifecycle.ts';

export const moveLevels: MoveLevels = async (call, moduleId, { before, after }) => {
  const move = levelMove(before, after, call.now);
  if (move === null) return [];
  return [...(await moveLines(call, moduleId, move)), ...(await moveAlerts(call, moduleId, move))];
};

/** `stored` is where an earlier calibration found the level without any. */
type MoveLevel = (level: number, stored: number | null) => MovedLevel;

/** Where levels of the curve are once its sensors are calibrated; null for another curve. */
function levelMove(
  { type, sensors, curve }: SummarySource,
  after: readonly Sensor[],
  now: number,
): MoveLevel | null {
  if (type !== 'humidity') return null;

  const byId = new Map(after.map(({ id, calibration }) => [id, calibration]));
  const lineWith = (calibrationOf: (sensor: CalibratedSensor) => SensorCalibration): Line =>
    lineOfCurve(
      sensors.map((sensor, index) => ({
        weight: itemAt(curve.weights, index),
        line: lineAt(calibrationOf(sensor), now),
      })),
    );
  const lines = {
    before: lineWith(({ calibration }) => calibration),
    after: lineWith(({ id }) => entryOf(byId, id)),
  };
  return (level, stored) => moveLevel(level, stored, lines);
}

/** The horizontal lines in % on the curve, of thresholds and others. */
async function moveLines(
  { db, now }: WriteContext,
  moduleId: number,
  move: MoveLevel,
): Promise<MovedLevelBody[]> {
  const moved: MovedLevelBody[] = [];
  for (const line of await linesOfModules(db, [moduleId])) {
    if (line.chartType !== 'humidity' || line.unit !== 'vwc') continue;
    const from = lineHeightInUnit(line);
    const { to, uncalibrated } = move(from, line.uncalibratedHeight);
    if (to === from) continue;
    const drawing = { ...movedLine(line, to, move), uncalibratedHeight: uncalibrated };
    await changeAnnotation(db, line.id, drawing, now);
    moved.push({ kind: 'line', id: line.id, from, to });
  }
  return moved;
}

/** The suggested or confirmed height was one on the curve as it was shown then. */
function movedLine(line: Annotation, height: number, move: MoveLevel): Annotation {
  const { suggestedHeight: suggested, confirmedHeight: confirmed } = line;
  const moveIfKnown = (level: number | null) => level && move(level, null).to;
  return {
    ...line,
    ...pointsAtHeight(line, height),
    suggestedHeight: moveIfKnown(suggested),
    confirmedHeight: confirmed === lineHeightInUnit(line) ? height : moveIfKnown(confirmed),
  };
}

/** Inactive ones too: they would be wrong when they are enabled again. */
async function moveAlerts(
  call: CalibrationContext,
  moduleId: number,
  move: MoveLevel,
): Promise<MovedLevelBody[]> {
  const moved: MovedLevelBody[] = [];
  const thresholds: MovedThreshold[] = [];
  const active: string[] = [];
  for (const alert of await moistureAlerts(call, moduleId)) {
    const from = Number(alert.threshold);
    const { to, uncalibrated } = move(from, alert.uncalibratedThreshold);
    if (to === from) continue;
    const { id } = alert;
    thresholds.push({ id, threshold: formatPlainDecimal(to), uncalibratedThreshold: uncalibrated });
    if (alert.isActive) active.push(id);
    moved.push({ kind: 'alert', id, from, to });
  }

  await moveThresholds(call.db, thresholds, call.now);
  await evaluateAfterCommit(call, { changed: active });
  return moved;
}

async function moistureAlerts({ db }: WriteContext, moduleId: number): Promise<Alert[]> {
  const alerts = await alertsAfter(db, { moduleId }, 0, Number.MAX_SAFE_INTEGER);
  return alerts.filter(({ kind }) => kind === 'moisture');
}
