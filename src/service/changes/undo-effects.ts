import { pairStartTimes } from '../../domain/irrigation/regeneration-plan.ts';
import type { Call } from '../../operation/call.ts';
import type { ChangeAction } from '../../schema/changes/change.ts';
import { deleteAlertDependents } from '../../store/alerts/alert-states.ts';
import { alertsById } from '../../store/alerts/alerts.ts';
import type { Reversal } from '../../store/changes/reversals.ts';
import type { PendingRegeneration } from '../../store/irrigation/pending-regenerations.ts';
import type { OccurrenceOwner } from '../../store/irrigation/removals.ts';
import {
  type Schedule,
  scheduleById,
  setMaterializedUntil,
} from '../../store/irrigation/schedules.ts';
import { deleteMailOfUser } from '../../store/mail/outbox.ts';
import { isRemovedInSteps } from '../../store/scope/company-scope-rules.ts';
import type { RowKey } from '../../store/scope/recorded-rows.ts';
import { evaluateAfterCommit, isRuleChanged, updateEvaluation } from '../alerts/alert-lifecycle.ts';
import { deleteReadingsOfAssignment } from '../ingest/devices/assignment-undo.ts';
import { writeWaitingReadings } from '../ingest/devices/periods/waiting-readings.ts';
import { reachedBy } from '../irrigation/installations.ts';
import { confirmPastOccurrences } from '../irrigation/planning/occurrences.ts';
import { applyRegenerationsAfterCommit } from '../irrigation/planning/pending-regenerations.ts';
import {
  regenerateAllOccurrences,
  regenerateOccurrences,
  regenerateOccurrencesOf,
  removeOccurrencesOfOwners,
  updateDosesOfSchedules,
} from '../irrigation/planning/regeneration.ts';
import type { RegenerationResult } from '../irrigation/planning/regeneration-steps.ts';
import {
  bringAllSchedulesUpToDate,
  bringSchedulesOfTargetUpToDate,
  bringUpToDate,
} from '../irrigation/planning/schedule-progress.ts';
import { alertsRemovedBy, alertsStartedBy } from '../pending-parts.ts';

// Planned waterings and the state of alerts follow from recorded rows. An undo writes the rows back
// and then updates what follows from them, as the tools do. Each `prepare…` function below does what
// needs the rows before the undo, and returns a step for after it.

interface UndoSteps {
  /** Throws if the change cannot be undone. */
  readonly check: () => Promise<void>;
  /** `pending` says which planned waterings are deleted later, because there are too many. */
  readonly write: (pending: readonly PendingRegeneration[]) => Promise<void>;
}

export async function undoWithEffects(
  call: Call,
  reversals: readonly Reversal[],
  { check, write }: UndoSteps,
): Promise<PlannedEffects> {
  const finishers = [
    await prepareSchedules(call, reversals),
    await prepareEquipment(call, reversals),
    await prepareModules(call, reversals),
    await prepareWaterings(call, reversals),
    await prepareAlerts(call, reversals),
    prepareDevices(call, reversals),
  ];

  await check();
  await deleteReadingsOfDevices(call, reversals);
  await deleteAlertDependents(call.db, alertsRemovedBy(reversals));
  await removeMailOfUsers(call, reversals);

  const removed = await removePlannedWaterings(call, reversals);
  await write(removed.pending);
  applyRegenerationsAfterCommit(call, removed.pending);

  const regenerations: RegenerationResult[] = [];
  for (const finish of finishers) regenerations.push(...(await finish()));
  const total = (countOf: (regeneration: RegenerationResult) => number) =>
    regenerations.reduce((sum, regeneration) => sum + countOf(regeneration), 0);

  // What the undo removes is what the change had added, and the other way round.
  return {
    'planned_watering added': removed.count + total(({ plan }) => plan.remove.length),
    'planned_watering changed': total(
      ({ plan, updatedDoses }) => plan.change.length + updatedDoses,
    ),
    'planned_watering removed': total(({ plan }) => plan.add.length),
  };
}

/**
 * How many planned waterings the change had added, changed and removed, as far as this transaction
 * updates them.
 */
type PlannedEffects = Readonly<Record<`planned_watering ${ChangeAction}`, number>>;

type Finish = () => Promise<readonly RegenerationResult[]>;

const ofTable = (reversals: readonly Reversal[], table: Reversal['table']): Reversal[] =>
  reversals.filter((reversal) => reversal.table === table);

function removePlannedWaterings(call: Call, reversals: readonly Reversal[]) {
  const owners: OccurrenceOwner[] = [];
  for (const { table, key, to } of reversals)
    if (to === null && isRemovedInSteps(table)) owners.push({ table, id: Number(key) });
  return removeOccurrencesOfOwners(call, owners);
}

/** Readings that came before their device was assigned are stored as unassigned again. */
async function deleteReadingsOfDevices(call: Call, reversals: readonly Reversal[]): Promise<void> {
  if (ofTable(reversals, 'device_readings').length > 0)
    await deleteReadingsOfAssignment(call, reversals);
}

/** Who is no member gets no mail, and what was sent to them is nobody's. */
async function removeMailOfUsers(call: Call, reversals: readonly Reversal[]): Promise<void> {
  for (const { key, to } of ofTable(reversals, 'users'))
    if (to === null) await deleteMailOfUser(call.db, Number(key));
}

function applyRestAfterCommit(call: Call, regeneration: RegenerationResult): RegenerationResult {
  applyRegenerationsAfterCommit(call, regeneration.pending);
  return regeneration;
}

async function prepareSchedules(call: Call, reversals: readonly Reversal[]): Promise<Finish> {
  const schedulesBefore = new Map<RowKey, Schedule>();
  for (const { key } of ofTable(reversals, 'schedules')) {
    const schedule = await scheduleById(call.db, Number(key));
    if (schedule) schedulesBefore.set(key, await bringUpToDate(call, schedule));
  }

  return async () => {
    const regenerations: RegenerationResult[] = [];
    for (const { key } of ofTable(reversals, 'schedules')) {
      const restored = await scheduleById(call.db, Number(key));
      if (!restored) continue;

      const materializedUntil = restored.isActive ? restored.materializedUntil : null;
      await setMaterializedUntil(call.db, restored.id, materializedUntil);

      const schedule = { ...restored, materializedUntil };
      const before = schedulesBefore.get(key);
      const pairs = before
        ? pairStartTimes(before.startTimes, schedule.startTimes)
        : new Map<string, string>();

      regenerations.push(
        applyRestAfterCommit(call, await regenerateOccurrences(call, schedule, pairs)),
      );
      await confirmPastOccurrences(call, schedule);
    }

    return regenerations;
  };
}

async function prepareEquipment(call: Call, reversals: readonly Reversal[]): Promise<Finish> {
  const ofVersions = ofTable(reversals, 'installation_versions').map(({ from, to }) => {
    const { module_id, parcel_id } = (from ?? to)!;
    return module_id === null ? { parcelId: Number(parcel_id) } : { moduleId: Number(module_id) };
  });
  // Volumes of a whole parcel may be spread over its area.
  const ofAreas = ofTable(reversals, 'parcels')
    .filter(({ from, to }) => from !== null && to !== null && from.area_m2 !== to.area_m2)
    .map(({ key }) => ({ parcelId: Number(key) }));

  const moduleIds = new Set<number>();
  const parcelIds = new Set<number>();
  for (const target of [...ofVersions, ...ofAreas]) {
    const reached = await reachedBy(call, target);
    for (const id of reached.moduleIds) moduleIds.add(id);
    for (const id of reached.parcelIds) parcelIds.add(id);
  }

  const targets = { moduleIds: [...moduleIds], parcelIds: [...parcelIds] };
  const schedules = await bringSchedulesOfTargetUpToDate(call, targets);
  return async () => [
    applyRestAfterCommit(call, await updateDosesOfSchedules(call, schedules, targets)),
  ];
}

async function prepareModules(call: Call, reversals: readonly Reversal[]): Promise<Finish> {
  if (ofTable(reversals, 'modules').length === 0) return async () => [];
  await bringAllSchedulesUpToDate(call);
  return async () => [applyRestAfterCommit(call, await regenerateAllOccurrences(call))];
}

/** A planned watering that was corrected by hand follows its schedule again. */
async function prepareWaterings(call: Call, reversals: readonly Reversal[]): Promise<Finish> {
  const planned = ofTable(reversals, 'waterings').flatMap(({ to }) =>
    to?.status === 'planned' && to.schedule_id !== null && to.is_detached === 0
      ? [
          {
            id: Number(to.schedule_id),
            target: to.module_id === null ? null : Number(to.module_id),
          },
        ]
      : [],
  );

  const schedules = new Map<number, Schedule>();
  for (const { id } of planned) {
    const schedule = schedules.has(id) ? null : await scheduleById(call.db, id);
    if (schedule) schedules.set(id, await bringUpToDate(call, schedule));
  }

  return async () => {
    const regenerations: RegenerationResult[] = [];
    for (const { id, target } of planned) {
      const schedule = schedules.get(id);
      if (!schedule) continue;
      regenerations.push(
        applyRestAfterCommit(call, await regenerateOccurrencesOf(call, id, target)),
      );
      await confirmPastOccurrences(call, schedule);
    }
    return regenerations;
  };
}

/** Readings from before an assignment are written to the module again if its undo is undone. */
function prepareDevices(call: Call, reversals: readonly Reversal[]): Finish {
  const readings = ofTable(reversals, 'device_readings');
  const devices = new Set([
    ...ofTable(reversals, 'devices').flatMap(({ key, to }) =>
      to?.module_id == null ? [] : [String(key)],
    ),
    ...readings.flatMap(({ from, to }) => (to === null && from ? [String(from.device)] : [])),
  ]);
  return async () => {
    if (devices.size > 0) await writeWaitingReadings(call, devices);
    return [];
  };
}

async function prepareAlerts(call: Call, reversals: readonly Reversal[]): Promise<Finish> {
  const alerts = ofTable(reversals, 'alerts');
  const alertIds = alerts.flatMap(({ key, from, to }) =>
    from === null || to === null ? [] : [String(key)],
  );
  const alertsBefore = await alertsById(call.db, alertIds);

  return async () => {
    const changed: string[] = [];
    const alertsRestored = await alertsById(call.db, alertIds);
    for (const id of alertIds) {
      const restored = alertsRestored.get(id);
      const alertBefore = alertsBefore.get(id);
      if (!restored || !alertBefore) continue;
      if (isRuleChanged(alertBefore, restored)) changed.push(id);
      else await updateEvaluation(call, alertBefore, restored);
    }
    await evaluateAfterCommit(call, { changed, started: alertsStartedBy(reversals) });
    return [];
  };
}
