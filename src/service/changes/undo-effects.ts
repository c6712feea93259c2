import { pairStartTimes } from '../../domain/irrigation/occurrences.ts';
import type { Call } from '../../operation/call.ts';
import { deleteAlertTraces } from '../../store/alerts/alert-states.ts';
import { type Alert, alertById } from '../../store/alerts/alerts.ts';
import type { Reversal } from '../../store/changes/changes.ts';
import { modulesOfParcel } from '../../store/company/places.ts';
import { deletePlannedOccurrences } from '../../store/irrigation/occurrences.ts';
import { type Schedule, scheduleById, setMaterializedUntil } from '../../store/irrigation/schedules.ts';
import type { RowKey } from '../../store/recorded-rows.ts';
import { followAlertChange, startEvaluation } from '../alerts/alert-lifecycle.ts';
import { confirmPastOccurrences } from '../irrigation/occurrences.ts';
import {
  followAfterCommit,
  redoseSchedules,
  regenerateAllOccurrences,
  regenerateOccurrences,
  regenerateOccurrencesOf,
  settleAllSchedules,
  settleSchedule,
  settleSchedulesOf,
} from '../irrigation/regeneration.ts';

// Planned waterings and the state of alerts follow from recorded rows. They are brought up to date around the writing of
// these rows, as the tools do that change them.

const OCCURRENCES_PER_STEP = 2_000;

interface UndoSteps {
  /** Throws if the change cannot be taken back. */
  readonly check: () => Promise<void>;
  readonly write: () => Promise<void>;
}

export async function followUndo(
  call: Call,
  reversals: readonly Reversal[],
  { check, write }: UndoSteps,
): Promise<void> {
  const followers = [
    await followSchedules(call, reversals),
    await followEquipment(call, reversals),
    await followModules(call, reversals),
    await followWaterings(call, reversals),
    await followAlerts(call, reversals),
  ];
  await check();
  await removeFollowingRows(call, reversals);
  await write();
  for (const follow of followers) await follow();
}

type Follow = () => Promise<void>;

const ofTable = (reversals: readonly Reversal[], table: Reversal['table']): Reversal[] =>
  reversals.filter((each) => each.table === table);

async function removeFollowingRows(call: Call, reversals: readonly Reversal[]): Promise<void> {
  for (const { table, key, to } of reversals) {
    if (to !== null) continue;
    if (table === 'schedules') await deleteOccurrences(call, { scheduleId: Number(key) });
    if (table === 'modules') await deleteOccurrences(call, { moduleId: Number(key) });
    if (table === 'alerts') await deleteAlertTraces(call.db, String(key));
  }
}

async function deleteOccurrences(call: Call, of: Parameters<typeof deletePlannedOccurrences>[1]): Promise<void> {
  while ((await deletePlannedOccurrences(call.db, of, OCCURRENCES_PER_STEP)) === OCCURRENCES_PER_STEP)
    await call.yieldOrCancel();
}

async function followSchedules(call: Call, reversals: readonly Reversal[]): Promise<Follow> {
  const settled = new Map<RowKey, Schedule>();
  for (const { key } of ofTable(reversals, 'schedules')) {
    const schedule = await scheduleById(call.db, Number(key));
    if (schedule) settled.set(key, await settleSchedule(call, schedule));
  }
  return async () => {
    for (const { key } of ofTable(reversals, 'schedules')) {
      const restored = await scheduleById(call.db, Number(key));
      if (!restored) continue;
      const materializedUntil = restored.isActive ? restored.materializedUntil : null;
      await setMaterializedUntil(call.db, restored.id, materializedUntil);
      const next = { ...restored, materializedUntil };
      const before = settled.get(key);
      const pairs = before ? pairStartTimes(before.startTimes, next.startTimes) : new Map<string, string>();
      const { pending } = await regenerateOccurrences(call, next, pairs);
      await confirmPastOccurrences(call, next);
      followAfterCommit(call, pending);
    }
  };
}

async function followEquipment(call: Call, reversals: readonly Reversal[]): Promise<Follow> {
  const moduleIds = new Set<number>();
  for (const { from, to } of ofTable(reversals, 'installation_versions')) {
    const { module_id, parcel_id } = (from ?? to)!;
    const ids = module_id === null ? await modulesOfParcel(call.db, Number(parcel_id)) : [Number(module_id)];
    for (const id of ids) moduleIds.add(id);
  }
  const schedules = await settleSchedulesOf(call, [...moduleIds]);
  return async () => followAfterCommit(call, (await redoseSchedules(call, schedules, [...moduleIds])).pending);
}

async function followModules(call: Call, reversals: readonly Reversal[]): Promise<Follow> {
  if (ofTable(reversals, 'modules').length === 0) return async () => undefined;
  await settleAllSchedules(call);
  return async () => followAfterCommit(call, (await regenerateAllOccurrences(call)).pending);
}

/** A planned watering that was corrected by hand follows its schedule again. */
async function followWaterings(call: Call, reversals: readonly Reversal[]): Promise<Follow> {
  const planned = ofTable(reversals, 'waterings').flatMap(({ to }) =>
    to?.status === 'planned' && to.is_detached === 0
      ? [{ id: Number(to.schedule_id), moduleId: Number(to.module_id) }]
      : [],
  );
  const schedules = new Map<number, Schedule>();
  for (const { id } of planned) {
    const schedule = schedules.has(id) ? null : await scheduleById(call.db, id);
    if (schedule) schedules.set(id, await settleSchedule(call, schedule));
  }
  return async () => {
    for (const { id, moduleId } of planned) {
      const schedule = schedules.get(id);
      if (!schedule) continue;
      followAfterCommit(call, (await regenerateOccurrencesOf(call, id, moduleId)).pending);
      await confirmPastOccurrences(call, schedule);
    }
  };
}

async function followAlerts(call: Call, reversals: readonly Reversal[]): Promise<Follow> {
  const alerts = ofTable(reversals, 'alerts').map(({ key }) => String(key));
  const before = new Map<string, Alert | null>();
  for (const id of alerts) before.set(id, await alertById(call.db, id));
  return async () => {
    for (const id of alerts) {
      const restored = await alertById(call.db, id);
      const present = before.get(id);
      if (restored && present) await followAlertChange(call, present, restored);
      else if (restored?.isActive) await startEvaluation(call, restored);
    }
  };
}
