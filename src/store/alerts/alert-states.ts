import type { Selectable } from 'kysely';
import { chunksOf } from '../../domain/groups.ts';
import { DAY_MS } from '../../domain/periods.ts';
import { announceChange } from '../company-changes.ts';
import {
  preparedListQuery,
  preparedQuery,
  preparedRowInserts,
  preparedRowQuery,
} from '../queries/prepared-query.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';
import { type Alert, toAlert } from './alerts.ts';

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
  /** The instant since which the alert fires; null if it does not. */
  readonly since: number | null;
  /** Readings at this instant or later have arrived and are not evaluated yet. */
  readonly pendingFrom: number | null;
  /**
   * How often new readings marked the alert for evaluation, and how many of these marks the last
   * evaluation covers.
   */
  readonly pendingMarks: number;
  readonly evaluatedMarks: number;
  /** The recipients were told that the alert fires, or that it has no new readings. */
  readonly notifiedFiring: boolean;
  readonly notifiedStale: boolean;
  /** The local day of the last reminder, or before the first one that of the notification. */
  readonly remindedOn: string | null;
  /** The instant of the last reminder. */
  readonly remindedAt: number | null;
  /** The threshold or hysteresis has changed since the last evaluation. */
  readonly isRuleChanged: boolean;
  /** When the alert is due next, even without new readings. */
  readonly dueAt: number | null;
}

export interface AlertWithState {
  readonly alert: Alert;
  readonly state: AlertState;
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

/** The state of an alert that was never evaluated. With a mark it is due at once. */
export const newAlertState = (alertId: string, pendingMarks: 0 | 1): AlertState => ({
  alertId,
  evaluateFrom: null,
  evaluatedAt: null,
  value: null,
  since: null,
  pendingFrom: null,
  pendingMarks,
  evaluatedMarks: 0,
  notifiedFiring: false,
  remindedOn: null,
  remindedAt: null,
  notifiedStale: false,
  isRuleChanged: false,
  dueAt: null,
});

/** Rows of one statement, largest first. */
const INSERT_SIZES = [50, 10, 1];

const insertStateRows = preparedRowInserts(
  INSERT_SIZES,
  (db, rows: readonly (ReturnType<typeof stateColumns> & { alert_id: string })[]) =>
    db.insertInto('alert_states').values(rows).returning('alert_id'),
);

export async function insertAlertStates(
  db: CompanyDb,
  states: readonly AlertState[],
): Promise<void> {
  await insertStateRows(
    db,
    states.map((state) => ({ alert_id: state.alertId, ...stateColumns(state) })),
  );
}

export async function updateAlertState(
  db: CompanyDb,
  before: AlertState,
  after: AlertState,
): Promise<void> {
  await saveState(db, { alert_id: before.alertId, ...stateColumns(after) });
  if (after.since !== before.since) await announceAlertChange(db, before.alertId);
}

const saveState = preparedRowQuery(
  (db, { alert_id: alertId, ...columns }: Selectable<CompanyTables['alert_states']>) =>
    db.updateTable('alert_states').set(columns).where('alert_id', '=', alertId),
);

const IDS_PER_UPDATE = 500;

/** The changed rules apply to the open episodes from their start, or else to the newest value. */
export async function markRulesChanged(db: CompanyDb, alertIds: readonly string[]): Promise<void> {
  for (const ids of chunksOf(alertIds, IDS_PER_UPDATE)) await markRules(db, ids);
}

const markRules = preparedListQuery((db, alertIds: readonly string[]) =>
  db
    .updateTable('alert_states')
    .set((eb) => {
      const from = eb.fn.coalesce('since', 'evaluated_at');
      return {
        pending_marks: eb('pending_marks', '+', 1),
        evaluate_from: eb.fn.coalesce(from, 'evaluate_from'),
        pending_from: eb.fn.coalesce(from, 'pending_from'),
        is_rule_changed: eb
          .case()
          .when(from, 'is', null)
          .then(eb.ref('is_rule_changed'))
          .else(eb.lit(1))
          .end(),
      };
    })
    .where('alert_id', 'in', alertIds),
);

/** When their next reminders are due is computed again then. */
export async function evaluateFiringAt(db: CompanyDb, at: number): Promise<void> {
  await db.updateTable('alert_states').set({ due_at: at }).where('is_firing', '=', 1).execute();
}

async function announceAlertChange(db: CompanyDb, alertId: string): Promise<void> {
  const alerts = await db
    .selectFrom('alerts')
    .select('module_id')
    .where('id', '=', alertId)
    .execute();
  announceChange(
    db,
    alerts.flatMap(({ module_id }) => module_id ?? []),
  );
}

export async function deleteAlertState(db: CompanyDb, alertId: string): Promise<void> {
  await db.deleteFrom('alert_states').where('alert_id', '=', alertId).execute();
  await announceAlertChange(db, alertId);
}

const ALERTS_PER_STATEMENT = 2_000;

/**
 * Deletes everything that depends on these alerts: their state, episodes and mail. The change that
 * deletes the alerts announces that.
 */
export async function deleteAlertDependents(
  db: CompanyDb,
  alertIds: readonly string[],
): Promise<void> {
  for (const ids of chunksOf(alertIds, ALERTS_PER_STATEMENT)) {
    await db.deleteFrom('alert_states').where('alert_id', 'in', ids).execute();
    await db.deleteFrom('alert_episodes').where('alert_id', 'in', ids).execute();
    await db.deleteFrom('outbox').where('alert_id', 'in', ids).execute();
  }
}

export async function alertStateOf(db: CompanyDb, alertId: string): Promise<AlertState | null> {
  return (await alertStatesOf(db, [alertId]))[0] ?? null;
}

export const alertStatesOf = async (
  db: CompanyDb,
  alertIds: readonly string[],
): Promise<AlertState[]> => (await queryStates(db, alertIds)).map(toState);

const queryStates = preparedListQuery((db, alertIds: readonly string[]) =>
  db.selectFrom('alert_states').selectAll().where('alert_id', 'in', alertIds),
);

/**
 * Every alert is due again within two days. A `due_at` that is further ahead than this was computed
 * while a clock was wrong, and the alert is due now.
 */
const LONGEST_WAIT_MS = 3 * DAY_MS;

const alertsInOrder = (db: CompanyDb) =>
  db
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .select(['alert_states.alert_id as id', 'alerts.seq']);

const markedAlerts = preparedQuery((db) =>
  alertsInOrder(db).where((eb) => eb('pending_marks', '>', eb.ref('evaluated_marks'))),
);

const markedWithState = preparedQuery((db, limit: number) =>
  db
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .selectAll('alert_states')
    .selectAll('alerts')
    .where((eb) => eb('pending_marks', '>', eb.ref('evaluated_marks')))
    .limit(limit),
);

/**
 * Alerts with readings that are not evaluated yet, at most `limit`. They are ordered here: SQLite
 * would look at all alerts of the company in that order.
 */
export const alertsToEvaluate = async (db: CompanyDb, limit: number): Promise<AlertWithState[]> =>
  (await markedWithState(db, limit))
    .sort((a, b) => a.seq - b.seq)
    .map((row) => ({ alert: toAlert(row), state: toState(row) }));

const alertsDueAt = preparedQuery((db, now: number, latestDueAt: number) =>
  alertsInOrder(db).where((eb) => eb.or([eb('due_at', '<=', now), eb('due_at', '>', latestDueAt)])),
);

/**
 * In the order of creation. Two queries, because in a single one SQLite would use neither index.
 */
export async function alertsDue(db: CompanyDb, now: number): Promise<string[]> {
  const marked = await markedAlerts(db);
  const due = await alertsDueAt(db, now, now + LONGEST_WAIT_MS);
  const seqById = new Map([...marked, ...due].map(({ id, seq }) => [id, seq]));
  return [...seqById].sort(([, a], [, b]) => a - b).map(([id]) => id);
}

const firingStates = (db: CompanyDb) =>
  db
    .selectFrom('alerts')
    .innerJoin('alert_states', 'alert_states.alert_id', 'alerts.id')
    .select(['threshold', 'hysteresis', 'since', 'value', 'evaluated_at as evaluatedAt'])
    .where('since', 'is not', null)
    .orderBy('alerts.seq')
    .$narrowType<{ since: number }>();

export const firingAlertsOfModule = preparedQuery((db, moduleId: number) =>
  firingStates(db).where('module_id', '=', moduleId),
);

export const firingAlertsOfModules = preparedListQuery((db, moduleIds) =>
  firingStates(db).select('module_id as moduleId').where('module_id', 'in', moduleIds),
);

export type FiringAlert = Awaited<ReturnType<typeof firingAlertsOfModule>>[number];

/** The active alerts of these modules, or of the farm, with what is known of their state. */
export async function activeAlertStates(db: CompanyDb, moduleIds?: readonly number[]) {
  if (moduleIds?.length === 0) return [];
  let query = db
    .selectFrom('alerts')
    .leftJoin('alert_states', 'alert_states.alert_id', 'alerts.id')
    .select([
      'alerts.id',
      'alerts.module_id as moduleId',
      'threshold',
      'alert_states.alert_id as stateId',
      'since',
      'value',
      'evaluated_at as evaluatedAt',
    ])
    .where('is_active', '=', 1)
    .orderBy('seq');
  if (moduleIds !== undefined) query = query.where('module_id', 'in', moduleIds);
  return query.execute();
}

export const firingAlerts = (db: CompanyDb) =>
  db
    .selectFrom('alert_states')
    .innerJoin('alerts', 'alerts.id', 'alert_states.alert_id')
    .select(['alert_id as id', 'module_id as moduleId', 'since'])
    .where('is_firing', '=', 1)
    .orderBy('alert_id')
    .execute();
