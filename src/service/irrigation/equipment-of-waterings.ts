import {
  type EquipmentVersion,
  parcelIrrigatedAreaM2,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { moduleById, probeIdsOfParcel } from '../../store/company/modules.ts';
import { parcelAreaM2 } from '../../store/company/parcels.ts';
import {
  ownAndParcelVersions,
  ownVersions,
  versionsByProbe,
} from '../../store/irrigation/installations.ts';
import { scheduleById } from '../../store/irrigation/schedules.ts';
import type { StoredWatering } from '../../store/irrigation/watering-columns.ts';
import type { CompanyDb } from '../../store/tables.ts';

/**
 * The volume of a whole parcel is spread over the parcel, also where a probe has equipment of its
 * own.
 */
export const isParcelVolume = ({
  amount,
  irrigationId,
  parcelId,
}: Pick<StoredWatering, 'amount' | 'irrigationId' | 'parcelId'>): boolean =>
  (irrigationId !== null || parcelId !== null) && amount.mode === 'volume_m3';

type DosedWatering = Pick<
  StoredWatering,
  'moduleId' | 'parcelId' | 'scheduleId' | 'startedAt' | 'amount' | 'irrigationId'
>;

/**
 * The versions of each probe of a parcel, or of the parcel itself where it has none: what decides
 * over which area its volume is spread.
 */
export async function versionsOverParcel(
  db: CompanyDb,
  parcelId: number,
): Promise<readonly EquipmentVersion[][]> {
  const probes = await probeIdsOfParcel(db, parcelId);
  return probes.length === 0
    ? [await ownVersions(db, { parcelId })]
    : [...(await versionsByProbe(db, parcelId, probes)).values()];
}

/**
 * Finds the equipment that gives the dose of each watering, as long as no equipment changes: it
 * reads once what many waterings share.
 */
export class EquipmentOfWaterings {
  readonly #db: CompanyDb;
  /** By probe and parcel. */
  readonly #versions = new Map<string, Promise<EquipmentVersion[]>>();
  readonly #versionsOver = new Map<number, ReturnType<typeof versionsOverParcel>>();
  readonly #parcels = new Map<number, Promise<number | null>>();
  readonly #areSpread = new Map<number, Promise<boolean>>();
  /** By parcel and start. */
  readonly #areas = new Map<string, Promise<number | null>>();

  constructor(db: CompanyDb) {
    this.#db = db;
  }

  async find(watering: DosedWatering): Promise<EquipmentVersion | null> {
    const { startedAt } = watering;
    const equipment = versionAtWithParcel(await this.#versionsFor(watering), startedAt);
    if (equipment === null || !(await this.#isSpread(watering))) return equipment;

    const parcelId = await this.#parcelFor(watering);
    if (parcelId === null) return equipment;

    const irrigatedAreaM2 = await once(this.#areas, `${parcelId} ${startedAt}`, () =>
      this.#irrigatedArea(parcelId, startedAt),
    );
    return { ...equipment, irrigatedAreaM2 };
  }

  #versionsFor({ moduleId, parcelId }: DosedWatering): Promise<EquipmentVersion[]> {
    return once(this.#versions, `${moduleId} ${parcelId}`, () =>
      moduleId === null
        ? ownVersions(this.#db, { parcelId: parcelId! })
        : ownAndParcelVersions(this.#db, moduleId),
    );
  }

  #parcelFor({ moduleId, parcelId }: DosedWatering): Promise<number | null> | number | null {
    return moduleId === null
      ? parcelId
      : once(this.#parcels, moduleId, async () => {
          return (await moduleById(this.#db, moduleId))?.parcelId ?? null;
        });
  }

  async #irrigatedArea(parcelId: number, startedAt: number): Promise<number | null> {
    const versions = once(this.#versionsOver, parcelId, () =>
      versionsOverParcel(this.#db, parcelId),
    );
    return parcelIrrigatedAreaM2(await versions, startedAt, await parcelAreaM2(this.#db, parcelId));
  }

  /** Also of a schedule of the parcel. */
  async #isSpread(watering: DosedWatering): Promise<boolean> {
    const { scheduleId, amount } = watering;
    if (scheduleId === null || amount.mode !== 'volume_m3') return isParcelVolume(watering);
    return once(this.#areSpread, scheduleId, async () => {
      const schedule = await scheduleById(this.#db, scheduleId);
      return (schedule?.targetParcelId ?? null) !== null;
    });
  }
}

function once<K, V>(found: Map<K, Promise<V>>, key: K, find: () => Promise<V>): Promise<V> {
  const known = found.get(key) ?? find();
  found.set(key, known);
  return known;
}
