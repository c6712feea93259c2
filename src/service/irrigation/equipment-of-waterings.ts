import type { DoseEquipment } from '../../domain/irrigation/dose.ts';
import {
  type EquipmentVersion,
  parcelIrrigatedAreaM2,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { moduleById, probeIdsOfParcel } from '../../store/company/modules.ts';
import { parcelAreaM2 } from '../../store/company/parcels.ts';
import { ownAndParcelVersions } from '../../store/irrigation/installations.ts';
import { scheduleById } from '../../store/irrigation/schedules.ts';
import type { Watering } from '../../store/irrigation/watering-columns.ts';
import type { CompanyDb } from '../../store/tables.ts';

/**
 * The volume of a whole parcel is spread over the parcel, also where a probe has equipment of its
 * own.
 */
export const isParcelVolume = ({
  amount,
  irrigationId,
}: Pick<Watering, 'amount' | 'irrigationId'>): boolean =>
  irrigationId !== null && amount.mode === 'volume_m3';

type DosedWatering = Pick<
  Watering,
  'moduleId' | 'scheduleId' | 'startedAt' | 'amount' | 'irrigationId'
>;

/**
 * Finds the equipment that gives the dose of each watering, as long as no equipment changes: it
 * reads once what many waterings share.
 */
export class EquipmentOfWaterings {
  readonly #db: CompanyDb;
  readonly #versions = new Map<number, Promise<EquipmentVersion[]>>();
  readonly #parcels = new Map<number, Promise<number | null>>();
  readonly #areSpread = new Map<number, Promise<boolean>>();
  /** By parcel and start. */
  readonly #areas = new Map<string, Promise<number | null>>();

  constructor(db: CompanyDb) {
    this.#db = db;
  }

  async find(watering: DosedWatering): Promise<DoseEquipment | null> {
    const { moduleId, startedAt } = watering;
    const equipment = versionAtWithParcel(await this.#versionsOf(moduleId), startedAt);
    if (equipment === null || !(await this.#isSpread(watering))) return equipment;

    const parcelId = await once(this.#parcels, moduleId, () => this.#parcelOf(moduleId));
    if (parcelId === null) return equipment;

    const irrigatedAreaM2 = await once(this.#areas, `${parcelId} ${startedAt}`, () =>
      this.#irrigatedArea(parcelId, startedAt),
    );
    return { ...equipment, irrigatedAreaM2 };
  }

  #versionsOf(moduleId: number): Promise<EquipmentVersion[]> {
    return once(this.#versions, moduleId, () => ownAndParcelVersions(this.#db, moduleId));
  }

  async #parcelOf(moduleId: number): Promise<number | null> {
    return (await moduleById(this.#db, moduleId))?.parcelId ?? null;
  }

  async #irrigatedArea(parcelId: number, startedAt: number): Promise<number | null> {
    const versionsByProbe: EquipmentVersion[][] = [];
    for (const id of await probeIdsOfParcel(this.#db, parcelId))
      versionsByProbe.push(await this.#versionsOf(id));
    return parcelIrrigatedAreaM2(
      versionsByProbe,
      startedAt,
      await parcelAreaM2(this.#db, parcelId),
    );
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
