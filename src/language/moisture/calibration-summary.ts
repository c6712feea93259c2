import { precise } from '../../domain/text/figures.ts';
import { join, list, say, sentences, verbatim } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { dateOf } from '../../domain/text/times.ts';
import {
  type CalibrationChangeBody,
  type MovedLevelBody,
  readCalibrationPoint,
} from '../../schema/moisture/calibration.ts';
import type { CalibratedSettingsAnswer } from '../../schema/moisture/setting-fields.ts';
import type { SummaryContext } from '../summary-context.ts';
import { moduleText } from '../text/names-of-farm.ts';
import { summarizeProbeSettings } from './settings-summary.ts';

export async function summarizeCalibratedSettings(
  { calibration, ...settings }: CalibratedSettingsAnswer,
  context: SummaryContext,
): Promise<Text> {
  if (calibration === null) return summarizeProbeSettings(settings, context);

  const hasSettings = Object.keys(settings.before).length > 0;
  const name = await moduleText(context.directory, settings.moduleId);
  const { moved } = calibration;
  return sentences([
    hasSettings ? await summarizeProbeSettings(settings, context) : null,
    describeChange(name, calibration),
    describeMoves(say`Its lines moved with the curve`, moved, 'line'),
    describeMoves(say`Its alerts moved too`, moved, 'alert'),
  ]);
}

/** A service of the specification has none. */
export const describeCalibration = ({
  calibration = [],
}: {
  readonly calibration?: readonly string[] | undefined;
}): Text[] => (calibration.length === 0 ? [] : [say`Calibration: ${listPoints(calibration)}.`]);

function describeChange(name: Text, { points, before }: CalibrationChangeBody): Text {
  if (points.join() === before.join())
    return say`Nothing changed: ${name} already has this calibration.`;
  return points.length === 0
    ? say`${name} has no calibration any more; it was: ${listPoints(before)}.`
    : say`${name} is calibrated: ${listPoints(points)}. The readings stay as they are stored; whatever shows or judges them uses the calibrated values.`;
}

/** Each as it can be entered again, with the day from which it counts. */
const listPoints = (points: readonly string[]): Text => join(points.map(describePoint), say`; `);

function describePoint(text: string): Text {
  const { point, from } = readCalibrationPoint(text);
  if (from === null) return say`"${verbatim(point)}"`;

  // The end of a long text is left out in a summary.
  const isWhole = !Number.isNaN(Date.parse(from));
  return say`"${verbatim(point)}, from ${isWhole ? dateOf(from) : verbatim(from)}"`;
}

/** A line and its alert move together. */
function describeMoves(
  subject: Text,
  moved: readonly MovedLevelBody[],
  kind: MovedLevelBody['kind'],
): Text | null {
  const moves = moved
    .filter((level) => level.kind === kind)
    .map(({ from, to }) => say`from ${precise([from, to], '%', 'to')}`);
  return moves.length === 0 ? null : say`${subject}: ${list(moves)}.`;
}
