import type { CropSeason } from '../../domain/balance/crop-season.ts';
import type { ProbeSettings } from '../../domain/moisture/probe-settings.ts';
import type { CompanyBody } from '../../schema/company/company.ts';
import type { FarmSensor } from '../../schema/farm/farm-file.ts';
import { formatOutline } from '../../schema/farm/outline-entry.ts';
import { formatSensor } from '../../schema/farm/sensor-entry.ts';
import { formatFigures } from '../../schema/moisture/setting-fields.ts';
import { toIsoOrNull } from '../../schema/wire-format.ts';
import { moduleMapper } from '../../store/company/modules.ts';
import { parcelMapper } from '../../store/company/parcels.ts';
import type { FarmRow } from '../../store/farm/farm-rows.ts';

// The stored values as arguments of set_company, set_parcel and set_module, to say what a call
// changed.

export const companyArguments = ({ id: _, name: newName, ...values }: CompanyBody) => ({
  newName,
  ...values,
});

export const parcelArguments = (
  row: FarmRow<'parcels'>,
  { crop: _, stageOn: __, earlierStages: ___, ...season }: CropSeason,
) => {
  const { name: newName, type, areaM2, geometry } = parcelMapper.toValue(row);
  return { newName, type, areaM2, outline: geometry && formatOutline(geometry), ...season };
};

export const moduleArguments = (
  row: FarmRow<'modules'>,
  sensors: readonly FarmSensor[],
  gateways: readonly FarmRow<'gateways'>[],
  { rootDepthCm, depthWeights }: ProbeSettings,
) => {
  const { name: newName, parcelId, gatewayId, position, ...module } = moduleMapper.toValue(row);
  return {
    newName,
    parcel: parcelId === null ? null : `#${parcelId}`,
    category: module.category,
    sensors: sensors.map(formatSensor),
    latitude: position?.lat ?? null,
    longitude: position?.lon ?? null,
    commissionedAt: toIsoOrNull(module.commissionedAt),
    serialHex: module.serialHex,
    number: module.number,
    uid: module.uid,
    gateway: gateways.find(({ id }) => id === gatewayId)?.imei ?? null,
    rootDepthCm,
    depthWeights: depthWeights && formatFigures(depthWeights),
  };
};

/** The entries of `values` that differ from `others`, where a missing value is null. */
export const changedValues = <T extends object>(values: T, others: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name as keyof T] ?? null),
    ),
  ) as Partial<T>;
