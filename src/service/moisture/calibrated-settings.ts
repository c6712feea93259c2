import type { SummarySource } from '../../domain/moisture/summary-source.ts';
import type { Call } from '../../operation/call.ts';
import type { FieldsOf } from '../../schema/field.ts';
import type {
  CalibrationChangeBody,
  CalibrationEntry,
  MovedLevelBody,
} from '../../schema/moisture/calibration.ts';
import type {
  CalibratedSettingsAnswer,
  probeSettingsEntry,
} from '../../schema/moisture/probe-settings.ts';
import type { Sensor } from '../../store/company/sensors.ts';
import { requireOwnModule } from '../ownership.ts';
import { calibrationTextsOf, replaceCalibration } from './calibration.ts';
import { setProbeSettings } from './probe-settings.ts';
import { loadSummarySeriesSource } from './summary-series.ts';

interface CalibratedSettingsEntry extends FieldsOf<typeof probeSettingsEntry> {
  /** Undefined leaves it, null removes it. */
  readonly calibration?: readonly CalibrationEntry[] | null | undefined;
}

/** Moves what is drawn on the curve of a probe, or watches it, to where the calibrated curve is. */
export type MoveLevels = (
  call: Call,
  moduleId: number,
  curve: { readonly before: SummarySource; readonly after: readonly Sensor[] },
) => Promise<MovedLevelBody[]>;

export async function setCalibratedSettings(
  call: Call,
  moduleId: number,
  { calibration, ...settings }: CalibratedSettingsEntry,
  moveLevels: MoveLevels,
): Promise<CalibratedSettingsAnswer> {
  const answer = await setProbeSettings(call, moduleId, settings);
  if (calibration === undefined) return { ...answer, calibration: null };

  const module = await requireOwnModule(call, moduleId);
  const source = await loadSummarySeriesSource(call.db, moduleId, 'humidity', call.now);
  // A probe that was moved has other soil around it.
  const defaultFrom = settings.effectiveFrom ?? module.commissionedAt;
  const { before, after } = await replaceCalibration(call, module, calibration ?? [], defaultFrom);

  const change: CalibrationChangeBody = {
    points: calibrationTextsOf(after),
    before: calibrationTextsOf(before),
    moved: await moveLevels(call, moduleId, { before: source, after }),
  };
  return { ...answer, calibration: change };
}
