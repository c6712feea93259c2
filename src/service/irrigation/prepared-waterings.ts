import { chunksOf, groupBy } from '../../domain/groups.ts';
import { computeDose, type DoseEquipment } from '../../domain/irrigation/dose.ts';
import {
  parcelIrrigatedAreaM2,
  versionAtWithParcel,
} from '../../domain/irrigation/equipment-timeline.ts';
import { entryOf } from '../../domain/items.ts';
import { operationName } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { type Call, WorkRequired } from '../../operation/call.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { WateringAnswer } from '../../schema/irrigation/watering.ts';
import { firingAlertsOfModule, firingAlertsOfModules } from '../../store/alerts/alert-states.ts';
import { changeCount } from '../../store/changes/change-counts.ts';
import { probeIdsOfParcel } from '../../store/company/modules.ts';
import { parcelAreaM2 } from '../../store/company/parcels.ts';
import { ownAndParcelVersions, versionsByProbe } from '../../store/irrigation/installations.ts';
import { overlappingWaterings } from '../../store/irrigation/overlapping-waterings.ts';
import { type Watering, wateringColumns } from '../../store/irrigation/watering-columns.ts';
import type { NewWateringRow } from '../../store/irrigation/waterings.ts';
import { companyIdOf } from '../../store/scope/company-db.ts';
import type { Store } from '../../store/store.ts';
import { assertModuleOr400, assertOwnParcel } from '../ownership.ts';
import { assertPlausibleDose, type CheckedEntry } from './watering-entry.ts';
import { toWateringAnswer } from './waterings.ts';

// A prepared watering is checked and has its dose, and is not stored yet.

type LoadedProbe = Awaited<ReturnType<typeof loadProbe>>;

/** So few that starting their queries does not block the event loop. */
const PROBES_AT_ONCE = 20;

interface PreparedWatering extends LoadedProbe {
  readonly watering: Omit<Watering, 'id'>;
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
  const equipment = versionAtWithParcel(probe.versions, startedAt);
  return { ...probe, watering: newWatering(call, moduleId, entry, equipment) };
}

export async function prepareParcelWaterings(
  call: Call,
  parcelId: number,
  entry: CheckedEntry,
): Promise<PreparedWatering[]> {
  const { startedAt, input } = entry;

  await assertOwnParcel(call, parcelId, 'PARCEL_NOT_FOUND');
  const moduleIds = await probeIdsOfParcel(call.db, parcelId);
  if (moduleIds.length === 0) throw parcelWithoutProbesError();

  const probes = await loadProbesOfParcel(call, { parcelId, moduleIds }, { ...input, startedAt });
  const versionsByProbe = probes.map(({ versions }) => versions);
  const areaM2 = parcelIrrigatedAreaM2(
    versionsByProbe,
    startedAt,
    await parcelAreaM2(call.db, parcelId),
  );

  return probes.map((probe) => {
    const equipment = versionAtWithParcel(probe.versions, startedAt);
    // A volume is that of the whole parcel.
    const isSpread = equipment !== null && input.amount.mode === 'volume_m3';
    const doseEquipment = isSpread ? { ...equipment, irrigatedAreaM2: areaM2 } : equipment;
    return { ...probe, watering: newWatering(call, probe.moduleId, entry, doseEquipment) };
  });
}

interface StorableWatering extends PreparedWatering {
  readonly row: NewWateringRow;
  /** Still without the ids that it gets when it is stored. */
  readonly answer: WateringAnswer;
}

const NO_ID = 0;

const toStorable = (prepared: PreparedWatering): StorableWatering => ({
  ...prepared,
  row: wateringColumns(prepared.watering),
  answer: toWateringAnswer({ id: NO_ID, ...prepared.watering }),
});

/** So many probes are read before the lock is taken. */
const MANY_PROBES = 100;

/** More often would let a company that always writes wait for ever. */
const MAX_PREPARATIONS = 2;

/**
 * The waterings of a parcel as one call prepares them before it takes the lock: the equipment and
 * the waterings of thousands of probes would be read for hundreds of milliseconds, and the answer
 * takes tens.
 */
export class ParcelPreparation {
  readonly #entry: CheckedEntry;
  #prepared: { readonly waterings: StorableWatering[]; readonly changeCount: number } | null = null;
  #preparations = 0;

  constructor(entry: CheckedEntry) {
    this.#entry = entry;
  }

  /** Throws WorkRequired for a large parcel until they are prepared and nothing has changed since. */
  async waterings(call: Call, parcelId: number): Promise<StorableWatering[]> {
    const { db } = call;
    const isUnchanged = this.#prepared?.changeCount === (await changeCount(db));
    if (this.#prepared !== null && isUnchanged) return this.#prepared.waterings;

    const isLarge = (await probeIdsOfParcel(db, parcelId)).length >= MANY_PROBES;
    if (!isLarge || this.#preparations >= MAX_PREPARATIONS)
      return (await prepareParcelWaterings(call, parcelId, this.#entry)).map(toStorable);

    this.#preparations++;
    throw new WorkRequired({ needed: (store) => this.#prepare(store, call, parcelId) });
  }

  async #prepare(store: Store, call: Call, parcelId: number): Promise<void> {
    const prepared = await store.read(companyIdOf(call.db), async (db) => ({
      changeCount: await changeCount(db),
      waterings: await prepareParcelWaterings({ ...call, db }, parcelId, this.#entry),
    }));
    this.#prepared = { ...prepared, waterings: prepared.waterings.map(toStorable) };
  }
}

const parcelWithoutProbesError = (): Error =>
  invalidInputError(
    'INVALID_TARGET',
    say`The parcel has no soil probe or tensiometer, so no watering was logged.`,
    {
      hint: say`Log it on a probe of another parcel, or put a probe into this one with ${operationName('set_module')}.`,
      field: 'parcel',
    },
  );

type RunPeriod = Pick<Watering, 'startedAt' | 'durationMin'>;

async function loadProbe({ db }: Call, moduleId: number, period: RunPeriod) {
  const [overlapping, versions, firingAlerts] = await Promise.all([
    overlappingWaterings(db, moduleId, period),
    ownAndParcelVersions(db, moduleId),
    firingAlertsOfModule(db, moduleId),
  ]);
  return { moduleId, overlapping, versions, firingAlerts };
}

/** As `loadProbe`, with one query for the setups and one for the alerts of all probes. */
async function loadProbesOfParcel(
  { db }: Call,
  { parcelId, moduleIds }: { readonly parcelId: number; readonly moduleIds: readonly number[] },
  period: RunPeriod,
): Promise<LoadedProbe[]> {
  const versions = await versionsByProbe(db, parcelId, moduleIds);
  const firing = groupBy(await firingAlertsOfModules(db, moduleIds), (alert) => alert.moduleId);

  const probes: LoadedProbe[] = [];
  for (const ids of chunksOf(moduleIds, PROBES_AT_ONCE)) {
    const loading = ids.map(async (moduleId) => ({
      moduleId,
      overlapping: await overlappingWaterings(db, moduleId, period),
      versions: entryOf(versions, moduleId),
      firingAlerts: firing.get(moduleId) ?? [],
    }));
    probes.push(...(await Promise.all(loading)));
  }
  return probes;
}

function newWatering(
  { now, source, caller }: Call,
  moduleId: number,
  { startedAt, input, status, remarks }: CheckedEntry,
  equipment: DoseEquipment | null,
): Omit<Watering, 'id'> {
  const dose = computeDose(input.amount, equipment, now);
  assertPlausibleDose(input.amount, dose);
  return {
    moduleId,
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
  };
}
