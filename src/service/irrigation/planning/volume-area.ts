import type { DoseEquipment } from '../../../domain/irrigation/dose.ts';
import {
  type EquipmentVersion,
  parcelIrrigatedAreaM2,
  versionAtWithParcel,
} from '../../../domain/irrigation/equipment-timeline.ts';
import type { WriteContext } from '../../../operation/call.ts';
import { parcelAreaM2 } from '../../../store/company/parcels.ts';
import type { Schedule } from '../../../store/irrigation/schedules.ts';
import { versionsOverParcel } from '../equipment-of-waterings.ts';

/** The whole parcel, over which a schedule spreads its volume at each start. */
export interface VolumeArea {
  /** In m2; null where an area is missing. */
  at(instant: number): number | null;
  /** Instants at which equipment of the parcel or one of its probes changes. */
  readonly changes: readonly number[];
}

export const isParcelVolumeSchedule = ({
  amount,
  targetParcelId,
}: Pick<Schedule, 'amount' | 'targetParcelId'>): boolean =>
  amount.mode === 'volume_m3' && targetParcelId !== null;

/** Null where each probe waters its own area, or no area counts. */
export async function volumeAreaOf(
  { db }: Pick<WriteContext, 'db'>,
  schedule: Pick<Schedule, 'amount' | 'targetParcelId'>,
): Promise<VolumeArea | null> {
  const { targetParcelId } = schedule;
  if (targetParcelId === null || !isParcelVolumeSchedule(schedule)) return null;

  const versionsOfProbes = await versionsOverParcel(db, targetParcelId);
  const parcelArea = await parcelAreaM2(db, targetParcelId);

  const areas = new Map<number, number | null>();
  return {
    at(instant) {
      let area = areas.get(instant);
      if (area === undefined) {
        area = parcelIrrigatedAreaM2(versionsOfProbes, instant, parcelArea);
        areas.set(instant, area);
      }
      return area;
    },
    changes: boundsOf(versionsOfProbes.flat()),
  };
}

export const boundsOf = (versions: readonly EquipmentVersion[]): number[] => [
  ...new Set(
    versions.flatMap(({ validFrom, validTo }) =>
      validTo === null ? [validFrom] : [validFrom, validTo],
    ),
  ),
];

/** The same object for the same version and area, so that each dose is computed once. */
export function equipmentFinder(area: VolumeArea | null) {
  const spread = new Map<EquipmentVersion, Map<number | null, DoseEquipment>>();

  return (versions: readonly EquipmentVersion[], at: number): DoseEquipment | null => {
    const version = versionAtWithParcel(versions, at);
    if (version === null || area === null) return version;

    const byArea = spread.get(version) ?? new Map<number | null, DoseEquipment>();
    spread.set(version, byArea);
    const areaM2 = area.at(at);
    const equipment = byArea.get(areaM2) ?? { ...version, irrigatedAreaM2: areaM2 };
    byArea.set(areaM2, equipment);
    return equipment;
  };
}
