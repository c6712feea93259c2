import { NO_SETTINGS } from '../../domain/moisture/probe-settings.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import type {
  FarmCalibration,
  FarmFile,
  FarmModule,
  FarmParcel,
  FarmSeason,
} from '../../schema/farm/farm-file.ts';
import { moduleById } from '../../store/company/modules.ts';
import { currentSeasons } from '../../store/company/seasons.ts';
import { moveLevels } from '../alerts/level-moves.ts';
import { changePlacement } from '../irrigation/irrigation-setup.ts';
import { calibrateProbe } from '../moisture/calibrated-settings.ts';
import { changeSettingsOf } from '../moisture/probe-settings.ts';
import { sourceToDrawFrom } from '../moisture/water-times.ts';
import { withFilePath } from './farm-file-problems.ts';
import { enterSeason } from './season-entry.ts';

// What a farm file says of a parcel or a module that is not in its row. The functions return whether
// that was changed.

export interface FarmTransaction extends WriteContext, Pick<Call, 'company' | 'zone'> {
  readonly farm: FarmFile;
  readonly instantOf: (text: string) => number;
}

export async function declareParcelDetails(
  context: FarmTransaction,
  { id, typeBefore, path }: { id: number; typeBefore: string | null; path: string },
  { type, settings, season }: FarmParcel,
): Promise<boolean> {
  let isChanged = false;

  if (settings !== undefined) {
    const entry = settings ?? NO_PARCEL_SETTINGS;
    const source = entry.waterSource && (await sourceToDrawFrom(context, entry.waterSource)).name;
    const { changed } = await withFilePath(`${path}.settings`, () =>
      changeSettingsOf(context, { parcelId: id }, { ...entry, waterSource: source }),
    );
    isChanged ||= changed.length > 0;
  }

  if (season !== undefined) {
    const entry = { crop: type, ...(season ?? NO_SEASON_ENTRY) };
    const stageOn = entry.stageOn ?? (await storedStageOn(context, id, entry));
    const { before, after } = await withFilePath(`${path}.season`, () =>
      enterSeason(context, { id, typeBefore }, { ...entry, stageOn }),
    );
    isChanged ||= before !== after;
  }

  return isChanged;
}

const { depthWeights: _, ...NO_PARCEL_SETTINGS } = NO_SETTINGS;

const NO_SEASON_ENTRY: FarmSeason = {
  plantedOn: null,
  harvestedOn: null,
  stage: null,
  rootDepthCm: null,
};

/** The same stage again is no news, and stays of the day on which it was entered. */
async function storedStageOn(
  { db }: WriteContext,
  parcelId: number,
  { stage }: FarmSeason,
): Promise<string | null> {
  const stored = (await currentSeasons(db, [parcelId])).get(parcelId)?.season;
  return stored?.stage === stage ? (stored?.stageOn ?? null) : null;
}

export async function declareModuleDetails(
  context: FarmTransaction,
  { id, path }: { id: number; path: string },
  { calibration, placement }: FarmModule,
): Promise<boolean> {
  const isCalibrated =
    calibration !== undefined &&
    (await withFilePath(`${path}.calibration`, () =>
      declareCalibration(context, id, calibration ?? []),
    ));
  const isPlaced = placement !== undefined && (await changePlacement(context, id, placement));
  return isCalibrated || isPlaced;
}

async function declareCalibration(
  context: FarmTransaction,
  moduleId: number,
  calibration: FarmCalibration,
): Promise<boolean> {
  const module = await moduleById(context.db, moduleId);
  if (module === null) throw new Error(`Module ${moduleId} was just written and is missing`);

  const startOf = (from: string | null | undefined): number | null => {
    if (from === undefined) return module.commissionedAt;
    return from === null ? null : context.instantOf(from);
  };
  const points = calibration.map(({ from, ...point }) => ({
    ...point,
    from: startOf(from),
  }));
  const { points: after, before } = await calibrateProbe(context, module, points, moveLevels);
  return JSON.stringify(after) !== JSON.stringify(before);
}
