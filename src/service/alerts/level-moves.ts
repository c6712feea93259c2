import { ALERT_KINDS } from '../../domain/alerts/alert-kinds.ts';
import { lineHeightInUnit, pointsAtHeight } from '../../domain/alerts/annotation.ts';
import { formatPlainDecimal, roundTo } from '../../domain/decimal.ts';
import { entryOf, itemAt } from '../../domain/items.ts';
import { levelShift, lineAt } from '../../domain/moisture/calibration.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { Call } from '../../operation/call.ts';
import type { MovedLevelBody } from '../../schema/moisture/calibration.ts';
import { type Alert, alertsAfter } from '../../store/alerts/alerts.ts';
import {
  type Annotation,
  changeAnnotation,
  linesOfModules,
} from '../../store/alerts/annotations.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import type { MoveLevels } from '../moisture/calibrated-settings.ts';
import { applyAlertChange } from './alert-lifecycle.ts';

export const moveLevels: MoveLevels = async (call, moduleId, { before, after }) => {
  const move = levelMove(before, after, call.now);
  return [...(await moveLines(call, moduleId, move)), ...(await moveAlerts(call, moduleId, move))];
};

const LEVEL_DECIMALS = 2;

/** Where a level of the curve is, in %, once its sensors are calibrated. */
function levelMove(
  { type, sensors, curve }: SummarySource,
  after: readonly Sensor[],
  now: number,
): (level: number) => number {
  const byId = new Map(after.map(({ id, calibration }) => [id, calibration]));
  const weighted = sensors.map(({ id, calibration }, index) => ({
    weight: itemAt(curve.weights, index),
    before: lineAt(calibration, now),
    after: lineAt(entryOf(byId, id), now),
  }));
  return (level) => {
    if (type !== 'humidity') return level;
    const moved = roundTo(level + levelShift(level, weighted), LEVEL_DECIMALS);
    return Math.max(0, Math.min(ALERT_KINDS.moisture.max, moved));
  };
}

/** The horizontal lines in % on the curve, of thresholds and others. */
async function moveLines(
  { db, now }: Call,
  moduleId: number,
  move: (level: number) => number,
): Promise<MovedLevelBody[]> {
  const moved: MovedLevelBody[] = [];
  for (const line of await linesOfModules(db, [moduleId])) {
    if (line.chartType !== 'humidity' || line.unit !== 'vwc') continue;
    const from = lineHeightInUnit(line);
    const to = move(from);
    if (to === from) continue;
    await changeAnnotation(db, line.id, movedLine(line, to, move), now);
    moved.push({ kind: 'line', id: line.id, from, to });
  }
  return moved;
}

/** What was suggested or confirmed was so on the curve as it was shown then. */
function movedLine(line: Annotation, height: number, move: (level: number) => number): Annotation {
  const { suggestedHeight: suggested, confirmedHeight: confirmed } = line;
  return {
    ...line,
    ...pointsAtHeight(line, height),
    suggestedHeight: suggested === null ? null : move(suggested),
    confirmedHeight: confirmed === null ? null : move(confirmed),
  };
}

/** Inactive ones too: they would be wrong when they are enabled again. */
async function moveAlerts(
  call: Call,
  moduleId: number,
  move: (level: number) => number,
): Promise<MovedLevelBody[]> {
  const moved: MovedLevelBody[] = [];
  for (const alert of await moistureAlerts(call, moduleId)) {
    const from = Number(alert.threshold);
    const to = move(from);
    if (to === from) continue;
    await applyAlertChange(call, alert, { threshold: formatPlainDecimal(to) });
    moved.push({ kind: 'alert', id: alert.id, from, to });
  }
  return moved;
}

const moistureAlerts = async ({ db }: Call, moduleId: number): Promise<Alert[]> =>
  (await alertsAfter(db, { moduleId }, 0, Number.MAX_SAFE_INTEGER)).filter(
    ({ kind }) => kind === 'moisture',
  );
