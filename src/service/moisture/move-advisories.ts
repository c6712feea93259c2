import { lineHeightInUnit } from '../../domain/alerts/annotation.ts';
import { tensionLines, thresholdLines } from '../../domain/alerts/drawn-lines.ts';
import {
  NO_SETTINGS,
  SETTING_NAMES,
  settingsVersionAt,
} from '../../domain/moisture/probe-settings.ts';
import type { Call } from '../../operation/call.ts';
import { linesOfModules } from '../../store/alerts/annotations.ts';
import { sensorsOf } from '../../store/company/sensors.ts';
import { ownSettingsVersions } from '../../store/moisture/settings-versions.ts';

/** Says what a probe keeps that was entered for the soil of the place where it stood. */
export async function adviseOfMove(call: Call, { id }: { readonly id: number }): Promise<void> {
  const { db, now } = call;
  const lines = await linesOfModules(db, [id]);
  const heightOf = (fill: Parameters<typeof thresholdLines>[1]): number | null => {
    const newest = thresholdLines(lines, fill).at(-1);
    return newest === undefined ? null : lineHeightInUnit(newest);
  };
  const own =
    settingsVersionAt(await ownSettingsVersions(db, { moduleId: id }), now) ?? NO_SETTINGS;
  const sensors = await sensorsOf(db, [id]);

  const kept = {
    fieldCapacity: heightOf('threshold1'),
    wiltingPoint: heightOf('threshold2'),
    hasTensionLevels: (['wet', 'dry'] as const).some(
      (fill) => tensionLines(lines, fill).length > 0,
    ),
    isCalibrated: sensors.some(({ calibration }) => calibration.length > 0),
    settings: SETTING_NAMES.filter((name) => own[name] !== null),
  };
  if (
    Object.values(kept).some((value) => (Array.isArray(value) ? value.length > 0 : Boolean(value)))
  )
    call.advise({ kind: 'kept_after_move', ...kept });
}
