import type { CropSeason } from '../../domain/balance/crop-season.ts';
import { FIRST_SETUP_AT } from '../../domain/irrigation/equipment-timeline.ts';
import { LocalDay } from '../../domain/local-day.ts';
import { settingsVersionAt } from '../../domain/moisture/probe-settings.ts';
import { cropIn } from '../../language/words/farming-terms.ts';
import type { Call } from '../../operation/call.ts';
import type { ParcelAnswer, parcelEntry } from '../../schema/farm/farm-entry.ts';
import type { FieldsOf } from '../../schema/field.ts';
import { probeIdsOfParcel } from '../../store/company/modules.ts';
import { parcelMapper } from '../../store/company/parcels.ts';
import { ownSettingsVersions } from '../../store/moisture/settings-versions.ts';
import { toParcelBody } from '../company/company.ts';
import { isSameCrop } from '../company/seasons.ts';
import {
  applyEquipmentChange,
  finishEquipmentChange,
} from '../irrigation/doses/equipment-effects.ts';
import { reachedBy } from '../irrigation/installations.ts';
import {
  adviseOfRoots,
  adviseOfRootsOfEarlierCrop,
  adviseOfRootsOfProbes,
} from '../moisture/root-advisories.ts';
import { changedValues, parcelArguments } from './farm-arguments.ts';
import { createUpserter, parcelRow } from './farm-rows.ts';
import { resolveNamedEntry, storedRow } from './named-entry.ts';
import { enterSeason } from './season-entry.ts';

type ParcelFields = FieldsOf<typeof parcelEntry>;
type SeasonField = 'type' | 'plantedOn' | 'rootDepthCm' | 'harvestedOn';

export async function setParcel(
  call: Call,
  { name, newName, outline, areaM2, type, ...season }: ParcelFields,
): Promise<ParcelAnswer> {
  const parcels = await createUpserter(call.db, 'parcels', (row) => row.name);
  const { existing, nameToStore } = await resolveNamedEntry(
    call,
    'parcel',
    [...parcels.rows.values()],
    {
      name,
      newName,
    },
  );
  const key = existing?.name ?? name;
  const changes = { type, areaM2, geometry: outline, name: nameToStore ?? key };
  const put = async () => (await parcels.put(key, parcelRow(changes))).id;
  const isOtherArea = areaM2 !== undefined && existing != null && areaM2 !== existing.area_m2;
  const id = isOtherArea ? await changeArea(call, existing.id, put) : await put();

  const parcel = { id, typeBefore: existing?.type ?? null };
  const { before, after } = await enterSeason(call, parcel, { crop: type, ...season });
  await adviseOfCrop(call, id, { type, ...season }, after);
  const isOtherCrop =
    before.crop !== null && after.crop !== null && !isSameCrop(before.crop, after.crop);
  if (isOtherCrop && season.rootDepthCm == null)
    await adviseOfRootsOfEarlierCrop(call, await probeIdsOfParcel(call.db, id));
  const row = await storedRow(call, 'parcels', id);
  return {
    parcel: toParcelBody(parcelMapper.toValue(row), after),
    before:
      existing && changedValues(parcelArguments(existing, before), parcelArguments(row, after)),
  };
}

/** A volume for the whole parcel may be spread over its area, as over that of equipment. */
async function changeArea(
  call: Call,
  parcelId: number,
  put: () => Promise<number>,
): Promise<number> {
  const targets = await reachedBy(call, { parcelId });
  const effects = await applyEquipmentChange(call, targets, async () => {
    await put();
    return { from: FIRST_SETUP_AT, to: null };
  });
  await finishEquipmentChange(call, effects);
  return parcelId;
}

async function adviseOfCrop(
  call: Call,
  parcelId: number,
  { type, plantedOn, rootDepthCm, harvestedOn }: Pick<ParcelFields, SeasonField>,
  season: CropSeason,
): Promise<void> {
  if (harvestedOn != null && harvestedOn > LocalDay.at(call.now, call.zone).iso)
    call.advise({ kind: 'harvest_ahead', day: harvestedOn });

  if (type == null && plantedOn == null && rootDepthCm == null) return;
  const settings = settingsVersionAt(await ownSettingsVersions(call.db, { parcelId }), call.now);
  adviseOfRoots(call, cropIn(season.crop), season.rootDepthCm ?? settings?.rootDepthCm ?? null);
  if (rootDepthCm != null)
    await adviseOfRootsOfProbes(
      call,
      { parcelId, rootDepthCm },
      await probeIdsOfParcel(call.db, parcelId),
    );
}
