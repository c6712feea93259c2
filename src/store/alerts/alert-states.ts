import type { Selectable } from 'kysely';
import type { AlertEpisode } from '../../domain/alerts/alert-episodes.ts';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { entryOf } from '../../domain/items.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { announceChange } from '../company-changes.ts';
import { preparedListQuery, preparedQuery } from '../queries/prepared-query.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

export interface AlertState {
  readonly alertId: string;
  /** Evaluation ignores earlier values; null to begin with the newest one. */
  readonly evaluateFrom: number | null;
  /**
   * Instant and value (% volumetric) of the newest evaluated cycle; the value is null if no
   * weighted sensor had one.
   */
  readonly evaluatedAt: number | null;
  readonly value: number | null;
  readonly since: number | null;
  /** Readings at this instant or later have arrived and are not evaluated yet. */
  readonly pendingFrom: number | null;
  /**
   * How often new readings marked the alert for evaluation, and how many of these marks the last
   * evaluation covers.
   */
  readonly pendingMarks: number;
  readonly evaluatedMarks: number;
  readonly notifiedFiring: boolean;
  readonly remindedOn: string | null;
  readonly remindedAt: number | null;
  readonly notifiedStale: boolean;
  readonly isRuleChanged: boolean;
  readonly dueAt: number | null;
}

const toState = (row: Selectable<CompanyTables['alert_states']>): AlertState => ({
  alertId: row.alert_id,
  evaluateFrom: row.evaluate_from,
  evaluatedAt: row.evaluated_at,
  value: row.value,
  since: row.since,
  pendingFrom: row.pending_from,
  pendingMarks: row.pending_marks,
  evaluatedMarks: row.evaluated_marks,
  notifiedFiring: row.notified_firing === 1,
  remindedOn: row.reminded_on,
  remindedAt: row.reminded_at,
  notifiedStale: row.notified_stale === 1,
  isRuleChanged: row.is_rule_changed === 1,
  dueAt: row.due_at,
});

const stateColumns = (state: AlertState) => ({
  evaluate_from: state.evaluateFrom,
  evaluated_at: state.evaluatedAt,
  value: state.value,
  is_firing: toFlag(state.since !== null),
  since: state.since,
  pending_from: state.pendingFrom,
  pending_marks: state.pendingMarks,
  evaluated_marks: state.evaluatedMarks,
  notified_firing: toFlag(state.notifiedFiring),
  reminded_on: state.remindedOn,
  reminded_at: state.remindedAt,
  notified_stale: toFlag(state.notifiedStale),
  is_rule_changed: toFlag(state.isRuleChanged),
  due_at: state.dueAt,
});

export async function insertAlertState(db: CompanyDb, alertId: string): Promise<void> {
  await db
    .insertInto('alert_states')
    .values({
      alert_id: alertId,
      is_firing: 0,
      pending_marks: 0,
      evaluated_marks: 0,
      notified_firing: 0,
      notified_stale: 0,
      is_rule_changed: 0,
    })
    .execute();
}

export async function updateAlertState(
  db: CompanyDb,
  before: AlertState,
  after: AlertState,
): Promise<void> {
  await db
    .updateTable('alert_states')
    .set(stateColumns(after))
    .where('alert_id', '=', before.alertId)
    .execute();
  if (after.since !== before.since) await announceAlert(db, before.alertId);
}

async function announceAlert(db: CompanyDb, alertId: string): Promise<void> {
  const rows = await db
    .selectFrom('alerts')
    .select('module_id')
    .where('id', '=', alertId)
    .execute();
  announceChange(
    db,
    rows.flatMap(({ module_id }) => module_id ?? []),
  );
}

export async function deleteAlertState(db: CompanyDb, alertId: string): Promise<void> {
  await db.deleteFrom('alert_states').where('alert_id', '=', alertId).execute();
  await announceAlert(db, alertId);
}

/** Deletes everything that depends on an alert: its state, its episodes and its mail. */
export async function deleteAlertDependents(db: CompanyDb, alertId: string): Promise<void> {
  await db.deleteFrom('alert_states').where('alert_id', '=', alertId).execute();
  await db.deleteFrom('alert_episodes').where('alert_id', '=', alertId).execute();
  await db.deleteFrom('outbox').where('alert_id', '=', alertId).execute();
  await announceAlert(db, alertId);
}

export async function alertStateOf(db: CompanyDb, alertId: string): Promise<AlertState | null> {
  return (await alertStatesOf(db, [alertId]))[0] ?? null;
}

export async function alertStatesOf(
  db: CompanyDb,
  alertIds: readonly string[],
): Promise<AlertState[]> {
  if (alertIds.length === 0) return [];
  return (
    await db.selectFrom('alert_states').selectAll().where('alert_id', 'in', alertIds).execute()
  ).map(toState);
}

/**
 * Every alert is due again within two days. An instant that is further ahead than this was computed
 * while a clock was wrong, and is due now.
 */
const LONGEST_WAIT_MS = 3 * DAY_MS;

const statesWithOrder = (db: CompanyDb) =>
  db
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .select(['alert_states.alert_id as id', 'alerts.seq']);

const markedAlerts = preparedQuery((db) =>
  statesWithOrder(db).where((eb) => eb('pending_marks', '>', eb.ref('evaluated_marks'))),
);

const alertsDueAt = preparedQuery((db, now: number, latestDueAt: number) =>
  statesWithOrder(db).where((eb) =>
    eb.or([eb('due_at', '<=', now), eb('due_at', '>', latestDueAt)]),
  ),
);

/** In the order of their creation. Two queries, because SQLite would use neither index for one. */
export async function alertsDue(db: CompanyDb, now: number): Promise<string[]> {
  const marked = await markedAlerts(db);
  const due = await alertsDueAt(db, now, now + LONGEST_WAIT_MS);
  const seqById = new Map([...marked, ...due].map(({ id, seq }) => [id, seq]));
  return [...seqById].sort(([, a], [, b]) => a - b).map(([id]) => id);
}

/** A row for each alert of a sensor; for a sensor without alerts, one whose `alertId` is null. */
const sensorsWithAlerts = preparedListQuery((db, sensorIds) =>
  db
    .selectFrom('sensors')
    .leftJoin('alerts', (join) =>
      join.onRef('alerts.module_id', '=', 'sensors.module_id').on('sensors.type', '=', 'humidity'),
    )
    .select(['sensors.id as sensorId', 'sensors.module_id as moduleId', 'alerts.id as alertId'])
    .where('sensors.id', 'in', sensorIds),
);

const markAlerts = preparedListQuery((db, alertIds: readonly string[], from: number) =>
  db
    .updateTable('alert_states')
    .set((eb) => ({
      pending_marks: eb('pending_marks', '+', 1),
      pending_from: eb
        .case()
        .when('pending_from', '<', from)
        .then(eb.ref('pending_from'))
        .else(eb.val(from))
        .end(),
    }))
    .where('alert_id', 'in', alertIds),
);

const IDS_PER_QUERY = 500;

/**
 * Marks the alerts of sensors for evaluation, and announces the change of their modules.
 * `firstInstants` maps a sensor id to its first new reading. Call it in the transaction that writes
 * the readings.
 */
export async function announceReadings(
  db: CompanyDb,
  firstInstants: ReadonlyMap<number, number>,
): Promise<void> {
  const firstOfAlert = new Map<string, number>();
  const modules = new Set<number>();
  for (const sensorIds of chunksOf([...firstInstants.keys()], IDS_PER_QUERY))
    for (const { sensorId, moduleId, alertId } of await sensorsWithAlerts(db, sensorIds)) {
      modules.add(moduleId);
      if (alertId === null) continue;
      const at = entryOf(firstInstants, sensorId);
      firstOfAlert.set(alertId, Math.min(firstOfAlert.get(alertId) ?? at, at));
    }
  announceChange(db, [...modules]);

  for (const [at, alerts] of groupBy(firstOfAlert, ([, first]) => first)) {
    const alertIds = alerts.map(([id]) => id);
    for (const chunk of chunksOf(alertIds, IDS_PER_QUERY)) await markAlerts(db, chunk, at);
  }
}

export const firingAlertsOfModule = preparedQuery((db, moduleId: number) =>
  db
    .selectFrom('alerts')
    .innerJoin('alert_states', 'alert_states.alert_id', 'alerts.id')
    .select(['threshold', 'hysteresis', 'since', 'value', 'evaluated_at as evaluatedAt'])
    .where('module_id', '=', moduleId)
    .where('since', 'is not', null)
    .orderBy('alerts.seq')
    .$narrowType<{ since: number }>(),
);

export type FiringAlert = Awaited<ReturnType<typeof firingAlertsOfModule>>[number];

export const firingAlerts = (db: CompanyDb) =>
  db
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .select(['alert_id as id', 'module_id as moduleId', 'since'])
    .where('is_firing', '=', 1)
    .orderBy('alert_id')
    .execute();

const episodesOf = (db: CompanyDb, alertId: string) =>
  db
    .selectFrom('alert_episodes')
    .select(['started_at as start', 'ended_at as end', 'lowest'])
    .where('alert_id', '=', alertId);

/** The episode that began at `from` or later and is still open after the values at `at`. */
export async function episodeLastingAt(
  db: CompanyDb,
  alertId: string,
  from: number,
  at: number,
): Promise<AlertEpisode | null> {
  const row = await episodesOf(db, alertId)
    .where('started_at', '>=', from)
    .where('started_at', '<=', at)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', at)]))
    .orderBy('started_at', 'desc')
    .executeTakeFirst();
  return row ?? null;
}

export const episodeStartingAt = async (
  db: CompanyDb,
  alertId: string,
  start: number,
): Promise<AlertEpisode | null> =>
  (await episodesOf(db, alertId).where('started_at', '=', start).executeTakeFirst()) ?? null;

export async function replaceEpisodes(
  db: CompanyDb,
  alertId: string,
  from: number,
  episodes: readonly AlertEpisode[],
): Promise<void> {
  await db
    .deleteFrom('alert_episodes')
    .where('alert_id', '=', alertId)
    .where('started_at', '>=', from)
    .execute();

  for (const { start, end, lowest } of episodes)
    await db
      .insertInto('alert_episodes')
      .values({ alert_id: alertId, started_at: start, ended_at: end, lowest })
      .execute();
}

export async function endEpisode(db: CompanyDb, alertId: string, at: number): Promise<void> {
  await db
    .updateTable('alert_episodes')
    .set({ ended_at: at })
    .where('alert_id', '=', alertId)
    .where('ended_at', 'is', null)
    .execute();
}
