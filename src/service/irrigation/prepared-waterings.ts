import { groupBy } from '../../domain/groups.ts';
import {
  computeDose,
  type Dose,
  type DoseEquipment,
  doseWarnings,
} from '../../domain/irrigation/dose.ts';
import {
  type EquipmentVersion,
  parcelIrrigatedAreaM2,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import type { Call } from '../../operation/call.ts';
import type { WateringAnswer } from '../../schema/irrigation/watering.ts';
import { firingAlertsOfModule, firingAlertsOfModules } from '../../store/alerts/alert-states.ts';
import { probeIdsOfParcel } from '../../store/company/modules.ts';
import { parcelAreaM2 } from '../../store/company/parcels.ts';
import { ownAndParcelVersions, versionsByProbe } from '../../store/irrigation/installations.ts';
import {
  type OverlappingWatering,
  overlappingOnProbe,
  overlappingWaterings,
  overlappingWateringsOfParcel,
} from '../../store/irrigation/overlapping-waterings.ts';
import {
  doseColumns,
  type ParcelWatering,
  toDoseBody,
  type Watering,
  wateringColumns,
} from '../../store/irrigation/watering-columns.ts';
import type { NewWateringRow } from '../../store/irrigation/waterings.ts';
import { assertModuleOr400, assertOwnParcel } from '../ownership.ts';
import { EquipmentOfWaterings } from './equipment-of-waterings.ts';
import { assertPlausibleDose, type CheckedEntry } from './watering-entry.ts';
import { toWateringAnswer } from './waterings.ts';

// A prepared watering is checked and has its dose, and is not stored yet.

type LoadedProbe = Awaited<ReturnType<typeof loadProbe>>;

type NewWatering = Omit<Watering, 'id'>;

interface PreparedWatering extends LoadedProbe {
  readonly watering: NewWatering;
}

type NewParcelWatering = Omit<ParcelWatering, 'id'>;

interface PreparedOnParcel {
  readonly watering: NewParcelWatering;
  readonly overlapping: readonly OverlappingWatering[];
}

export async function prepareWatering(
  call: Call,
  moduleId: number,
  entry: CheckedEntry,
): Promise<PreparedWatering> {
  const { startedAt } = entry;
  const [, probe] = await Promise.all([
    assertModuleOr400(call, moduleId),
    loadProbe(call, moduleId, { ...entry.input, startedAt }),
  ]);
  const dose = plausibleDose(call, entry, versionAtWithParcel(probe.versions, startedAt));
  return { ...probe, watering: newWatering(call, moduleId, entry, dose) };
}

interface WateringOfProbe extends PreparedWatering {
  readonly row: NewWateringRow;
  /** Still without the id that it gets when it is stored. */
  readonly answer: WateringAnswer;
}

/** One for each probe: none for a parcel without, which has one of its own. */
export async function prepareParcelWaterings(
  call: Call,
  parcelId: number,
  entry: CheckedEntry,
): Promise<WateringOfProbe[]> {
  const { startedAt, input } = entry;

  await assertOwnParcel(call, parcelId, 'PARCEL_NOT_FOUND');
  const moduleIds = await probeIdsOfParcel(call.db, parcelId);
  if (moduleIds.length === 0) return [];

  const probes = await loadProbesOfParcel(call, { parcelId, moduleIds }, { ...input, startedAt });
  const areaM2 = parcelIrrigatedAreaM2(
    probes.map(({ versions }) => versions),
    startedAt,
    await parcelAreaM2(call.db, parcelId),
  );

  const onProbes = new EntryOnProbes(call, entry, areaM2);
  return probes.map((probe) =>
    onProbes.prepare(probe, versionAtWithParcel(probe.versions, startedAt)),
  );
}

/** For a parcel that has no probe. */
export async function prepareOnParcel(
  call: Call,
  parcelId: number,
  entry: CheckedEntry,
): Promise<PreparedOnParcel> {
  const period = { ...entry.input, startedAt: entry.startedAt };
  const overlapping = await overlappingWateringsOfParcel(call.db, parcelId, period);
  const watering = { ...newWatering(call, null, entry, NO_DOSE), moduleId: null, parcelId };
  const equipment = await new EquipmentOfWaterings(call.db).find(watering);
  return { overlapping, watering: { ...watering, ...plausibleDose(call, entry, equipment) } };
}

const NO_ID = 0;
const NO_DOSE: Dose = { waterMm: null, waterMmWetted: null, snapshot: null };

/**
 * Prepares the waterings of thousands of probes while the write lock is held, so that what is the
 * same for all is converted once, and each dose once for all probes with that equipment.
 */
class EntryOnProbes {
  readonly #call: Call;
  readonly #entry: CheckedEntry;
  readonly #areaM2: number | null;
  readonly #common: Omit<WateringOfProbe, keyof LoadedProbe>;
  readonly #doses = new Map<EquipmentVersion | null, ReturnType<typeof convertedDose>>();

  /** The area is that over which a volume is spread. */
  constructor(call: Call, entry: CheckedEntry, areaM2: number | null) {
    this.#call = call;
    this.#entry = entry;
    this.#areaM2 = areaM2;
    const watering = newWatering(call, NO_ID, entry, NO_DOSE);
    const answer = toWateringAnswer({ id: NO_ID, ...watering });
    this.#common = { watering, row: wateringColumns(watering), answer };
  }

  prepare(probe: LoadedProbe, equipment: EquipmentVersion | null): WateringOfProbe {
    const { moduleId } = probe;
    const { watering, row, answer } = this.#common;
    const { dose, columns, body, warnings } = this.#doseOf(equipment);
    return {
      ...probe,
      watering: { ...watering, moduleId, ...dose },
      row: { ...row, module_id: moduleId, ...columns },
      answer: { event: { ...answer.event, moduleId, ...body }, warnings },
    };
  }

  #doseOf(equipment: EquipmentVersion | null) {
    const known = this.#doses.get(equipment);
    if (known !== undefined) return known;

    // A volume is that of the whole parcel.
    const isSpread = equipment !== null && this.#entry.input.amount.mode === 'volume_m3';
    const doseEquipment = isSpread ? { ...equipment, irrigatedAreaM2: this.#areaM2 } : equipment;
    const dose = convertedDose(this.#entry, plausibleDose(this.#call, this.#entry, doseEquipment));
    this.#doses.set(equipment, dose);
    return dose;
  }
}

const convertedDose = ({ input }: CheckedEntry, dose: Dose) => ({
  dose,
  columns: doseColumns(dose),
  body: toDoseBody(dose),
  warnings: doseWarnings(input.amount.mode, dose),
});

type RunPeriod = Pick<Watering, 'startedAt' | 'durationMin'>;

async function loadProbe({ db }: Call, moduleId: number, period: RunPeriod) {
  const [overlapping, versions, firingAlerts] = await Promise.all([
    overlappingOnProbe(db, moduleId, period),
    ownAndParcelVersions(db, moduleId),
    firingAlertsOfModule(db, moduleId),
  ]);
  return { moduleId, overlapping, versions, firingAlerts };
}

/** Loads what `loadProbe` does, with few queries for all probes. */
async function loadProbesOfParcel(
  { db }: Call,
  { parcelId, moduleIds }: { readonly parcelId: number; readonly moduleIds: readonly number[] },
  period: RunPeriod,
): Promise<LoadedProbe[]> {
  const versions = await versionsByProbe(db, parcelId, moduleIds);
  const overlapping = groupBy(
    await overlappingWaterings(db, moduleIds, period),
    (watering) => watering.moduleId,
  );
  const ofParcel = await overlappingWateringsOfParcel(db, parcelId, period);
  const firing = groupBy(await firingAlertsOfModules(db, moduleIds), (alert) => alert.moduleId);

  return moduleIds.map((moduleId) => ({
    moduleId,
    overlapping: [...(overlapping.get(moduleId) ?? []), ...ofParcel],
    versions: entryOf(versions, moduleId),
    firingAlerts: firing.get(moduleId) ?? [],
  }));
}

function plausibleDose(
  { now }: Call,
  { input }: CheckedEntry,
  equipment: DoseEquipment | null,
): Dose {
  const dose = computeDose(input.amount, equipment, now);
  assertPlausibleDose(input.amount, dose);
  return dose;
}

const newWatering = <ModuleId extends number | null>(
  { now, source, caller }: Call,
  moduleId: ModuleId,
  { startedAt, input, status, remarks }: CheckedEntry,
  dose: Dose,
) => ({
  moduleId,
  parcelId: null,
  scheduleId: null,
  isDetached: false,
  startedAt,
  ...input,
  ...dose,
  status,
  source,
  verifiedAt: status === 'done' ? now : null,
  ...remarks,
  createdBy: caller.userId,
  createdAt: now,
  irrigationId: null,
  noteId: null,
});
