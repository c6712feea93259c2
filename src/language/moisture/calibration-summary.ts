import type { CalibrationChangeBody, MovedLevelBody } from '../../schema/moisture/calibration.ts';
import type { CalibratedSettingsAnswer } from '../../schema/moisture/probe-settings.ts';
import { englishFormat } from '../en/grammar.ts';
import { formatPrecise } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import { moduleName, type SummaryContext, type WordingContext } from '../summary-context.ts';
import { formatDate } from '../time.ts';
import { calibrationPhrases } from './calibration-phrases.ts';
import { summarizeProbeSettings } from './settings-summary.ts';

export async function summarizeCalibratedSettings(
  { calibration, ...settings }: CalibratedSettingsAnswer,
  context: SummaryContext,
): Promise<string> {
  if (calibration === null) return summarizeProbeSettings(settings, context);

  const hasSettings = Object.keys(settings.before).length > 0;
  const name = await moduleName(context.directory, settings.moduleId);
  return joinSentences([
    hasSettings ? await summarizeProbeSettings(settings, context) : null,
    describeChange(name, calibration, context),
    ...movedSentences(calibration.moved),
  ]);
}

/** A service of the specification has none. */
export const describeCalibration = (
  { calibration = [] }: { readonly calibration?: readonly string[] | undefined },
  context: WordingContext,
): string[] =>
  calibration.length === 0 ? [] : [calibrationPhrases.inForce(pointTexts(calibration, context))];

function describeChange(
  name: string,
  { points, before }: CalibrationChangeBody,
  context: WordingContext,
): string {
  if (points.join() === before.join()) return calibrationPhrases.unchanged(name);
  return points.length === 0
    ? calibrationPhrases.removed(name, pointTexts(before, context))
    : calibrationPhrases.changed(name, pointTexts(points, context));
}

const pointTexts = (points: readonly string[], context: WordingContext): string =>
  points
    .map((point) =>
      // A text of a person may stand in quotes.
      point.replace(/, from ([^\s"]+)(?="?$)/, (_, time: string) =>
        calibrationPhrases.from(formatDate(time, context)),
      ),
    )
    .join('; ');

/** A line and its alert move together. */
function movedSentences(moved: readonly MovedLevelBody[]): string[] {
  const text = ({ from, to }: MovedLevelBody) =>
    calibrationPhrases.move(formatPrecise(from), formatPrecise(to));
  const listOf = (levels: readonly MovedLevelBody[]) =>
    levels.length === 0 ? null : englishFormat.list(levels.map(text));
  const lines = listOf(moved.filter(({ kind }) => kind === 'line'));
  const alerts = listOf(moved.filter(({ kind }) => kind === 'alert'));
  return [
    ...(lines === null ? [] : [calibrationPhrases.linesMoved(lines)]),
    ...(alerts === null ? [] : [calibrationPhrases.alertsMoved(alerts)]),
  ];
}
