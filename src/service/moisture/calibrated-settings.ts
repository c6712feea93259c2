import type { DatedPoint } from '../../domain/moisture/calibration.ts';
import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { timeOf } from '../../domain/text/times.ts';
import type { Call } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type {
  CalibrationChangeBody,
  CalibrationEntry,
  MovedLevelBody,
} from '../../schema/moisture/calibration.ts';
import type {
  CalibratedSettingsAnswer,
  probeSettingsEntry,
} from '../../schema/moisture/setting-fields.ts';
import type { Module } from '../../store/company/modules.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import { requireOwnModule } from '../ownership.ts';
import { calibrationTextsOf, datedPoints, replaceCalibration } from './calibration.ts';
import { setProbeSettings } from './probe-settings.ts';
import { loadSummarySeriesSource } from './summary-series.ts';

interface CalibratedSettingsEntry extends FieldsOf<typeof probeSettingsEntry> {
  /** Undefined leaves it, null removes it. */
  readonly calibration?: readonly CalibrationEntry[] | null | undefined;
}

/** A farm import has nothing that runs after its commit. */
export type CalibrationContext = Pick<Call, 'db' | 'now' | 'company'> &
  Partial<Pick<Call, 'afterCommit'>>;

/** Moves what is drawn on the curve of a probe, or watches it, to where the calibrated curve is. */
export type MoveLevels = (
  context: CalibrationContext,
  moduleId: number,
  curve: { readonly before: SummarySource; readonly after: readonly Sensor[] },
) => Promise<MovedLevelBody[]>;

export async function setCalibratedSettings(
  call: Call,
  moduleId: number,
  { calibration, ...settings }: CalibratedSettingsEntry,
  moveLevels: MoveLevels,
): Promise<CalibratedSettingsAnswer> {
  if (calibration !== undefined) assertNotAhead(call, settings.effectiveFrom);
  const answer = await setProbeSettings(call, moduleId, settings);
  if (calibration === undefined) return { ...answer, calibration: null };

  const module = await requireOwnModule(call, moduleId);
  // A probe that was moved has other soil around it.
  const defaultFrom = settings.effectiveFrom ?? module.commissionedAt;
  const points = datedPoints(call, calibration ?? [], defaultFrom);
  return { ...answer, calibration: await calibrateProbe(call, module, points, moveLevels) };
}

function assertNotAhead({ now }: Call, effectiveFrom: number | null | undefined): void {
  if (effectiveFrom != null && effectiveFrom > now)
    throw invalidInputError(
      'EFFECTIVE_FROM_IN_FUTURE',
      say`${argument('effectiveFrom')} ${timeOf(effectiveFrom)} is in the future.`,
      {
        hint: say`A calibration begins when it was measured: leave ${argument('effectiveFrom')} out, or give the other settings in another call.`,
        field: 'effectiveFrom',
      },
    );
}

/** The points become all that the probe has; its lines and alerts move with the curve. */
export async function calibrateProbe(
  context: CalibrationContext,
  module: Module,
  points: readonly DatedPoint[],
  moveLevels: MoveLevels,
): Promise<CalibrationChangeBody> {
  const source = await loadSummarySeriesSource(context.db, module.id, 'humidity', context.now);
  const { before, after } = await replaceCalibration(context, module, points);
  return {
    points: calibrationTextsOf(after),
    before: calibrationTextsOf(before),
    moved: await moveLevels(context, module.id, { before: source, after }),
  };
}
