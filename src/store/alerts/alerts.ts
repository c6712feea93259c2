import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import { type AlertKind, UNNAMED_KIND } from '../../domain/alerts/alert-kinds.ts';
import { isFormerMember } from '../../domain/company/former-member.ts';
import { chunksOf } from '../../domain/groups.ts';
import { alertFields } from '../../schema/alerts/alert.ts';
import { preparedQuery, preparedRowInserts } from '../queries/prepared-query.ts';
import { ResourceMapper } from '../queries/resource-mapper.ts';
import type { ValueOf } from '../queries/resource-types.ts';
import { valuesByKey } from '../queries/values-by-key.ts';
import type { ChangedRow } from '../scope/recorded-rows.ts';
import { rowCount } from '../store-statistics.ts';
import { type CompanyDb, type CompanyTables, toFlag } from '../tables.ts';

type AlertRow = Selectable<CompanyTables['alerts']>;

export interface Alert extends ValueOf<typeof alertFields> {
  readonly seq: number;
  readonly kind: AlertKind;
}

export const alertMapper = new ResourceMapper(alertFields);

/** The row may have columns of other tables too. */
export const toAlert = (row: AlertRow): Alert => ({
  ...alertMapper.toValue(row),
  seq: row.seq,
  kind: UNNAMED_KIND,
});

export async function alertById(db: CompanyDb, id: string): Promise<Alert | null> {
  const [row] = await queryAlert(db, id);
  return row ? toAlert(row) : null;
}

const queryAlert = preparedQuery((db, id: string) =>
  db.selectFrom('alerts').selectAll().where('id', '=', id),
);

/** The alerts with these ids, if they exist. */
export async function alertsById(
  db: CompanyDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Alert>> {
  const alerts = new Map<string, Alert>();
  for (const chunk of chunksOf(ids, ALERTS_PER_QUERY)) {
    const rows = await db.selectFrom('alerts').selectAll().where('id', 'in', chunk).execute();
    for (const row of rows) alerts.set(row.id, toAlert(row));
  }
  return alerts;
}

const ALERTS_PER_QUERY = 100;

export async function alertOfAnnotation(
  db: CompanyDb,
  annotationId: string,
): Promise<Alert | null> {
  const row = await db
    .selectFrom('alerts')
    .selectAll()
    .where('annotation_id', '=', annotationId)
    .executeTakeFirst();
  return row ? toAlert(row) : null;
}

interface AlertFilter {
  readonly moduleId?: number | undefined;
  readonly isActive?: boolean | undefined;
}

function filteredAlerts(db: CompanyDb, { moduleId, isActive }: AlertFilter) {
  let query = db.selectFrom('alerts');
  if (moduleId !== undefined) query = query.where('module_id', '=', moduleId);
  if (isActive !== undefined) query = query.where('is_active', '=', toFlag(isActive));
  return query;
}

export const alertsAfter = async (
  db: CompanyDb,
  filter: AlertFilter,
  afterSeq: number,
  limit: number,
): Promise<Alert[]> =>
  (
    await filteredAlerts(db, filter)
      .selectAll()
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(limit)
      .execute()
  ).map(toAlert);

const MODULES_PER_QUERY = 1_000;

/** How many active alerts these modules have, by threshold. */
export async function activeAlertCounts(
  db: CompanyDb,
  moduleIds: readonly number[],
): Promise<{ readonly threshold: string; readonly count: number }[]> {
  const counts = [];
  for (const chunk of chunksOf(moduleIds, MODULES_PER_QUERY))
    counts.push(
      ...(await filteredAlerts(db, { isActive: true })
        .where('module_id', 'in', chunk)
        .groupBy('threshold')
        .select(({ fn }) => ['threshold', fn.countAll<number>().as('count')])
        .execute()),
    );
  return counts;
}

export const alertCount = (db: CompanyDb, filter: AlertFilter): Promise<number> =>
  rowCount(filteredAlerts(db, filter));

/** The newest active alert of the module. */
export async function alertInForce(db: CompanyDb, moduleId: number): Promise<Alert | null> {
  const row = await filteredAlerts(db, { moduleId, isActive: true })
    .selectAll()
    .orderBy('seq', 'desc')
    .executeTakeFirst();
  return row ? toAlert(row) : null;
}

/** Without former members, whom no message reaches. */
export async function recipientsOf(db: CompanyDb, alertIds: readonly string[]) {
  if (alertIds.length === 0) return [];
  const recipients = await db
    .selectFrom('alert_recipients')
    .innerJoin('users', 'users.id', 'alert_recipients.user_id')
    .select([
      'alert_recipients.id',
      'alert_recipients.alert_id as alertId',
      'users.id as userId',
      'users.name as userName',
      'users.email',
    ])
    .where('alert_id', 'in', alertIds)
    .orderBy('alert_recipients.seq')
    .execute();
  return recipients.filter((recipient) => !isFormerMember(recipient));
}

export type NewAlert = Omit<
  Alert,
  'seq' | 'kind' | 'id' | 'isActive' | 'uncalibratedThreshold' | 'createdAt' | 'updatedAt'
>;

/** The database numbers alerts in the order of their creation. */
export type UnnumberedAlert = Omit<Alert, 'seq'>;

export const newUnnumberedAlert = <Entry extends NewAlert>(
  entry: Entry,
  at: number,
): UnnumberedAlert & Entry => ({
  ...entry,
  id: randomUUID(),
  kind: UNNAMED_KIND,
  isActive: true,
  uncalibratedThreshold: null,
  createdAt: at,
  updatedAt: at,
});

export interface NewRecipient {
  readonly id: string;
  readonly alertId: string;
  readonly userId: number;
}

export const newRecipient = ({ id, createdBy }: UnnumberedAlert): NewRecipient => ({
  id: randomUUID(),
  alertId: id,
  userId: createdBy,
});

/** Rows of one statement, largest first. */
const INSERT_SIZES = [50, 10, 1];

type NewAlertRow = ReturnType<typeof newAlertColumns>;

const insertAlerts = preparedRowInserts(INSERT_SIZES, (db, rows: readonly NewAlertRow[]) =>
  db.insertInto('alerts').values(rows).returningAll(),
);

const insertRecipients = preparedRowInserts(
  INSERT_SIZES,
  (db, rows: readonly ReturnType<typeof newRecipientColumns>[]) =>
    db.insertInto('alert_recipients').values(rows).returningAll(),
);

export interface AlertWithRecipient {
  readonly alert: UnnumberedAlert;
  readonly recipient: NewRecipient;
}

/** Whole rows are returned, so that a change that records them reads them no second time. */
export async function addAlerts(
  db: CompanyDb,
  alerts: readonly AlertWithRecipient[],
): Promise<void> {
  await insertAlerts(
    db,
    alerts.map(({ alert }) => newAlertColumns(alert)),
  );
  await insertRecipients(
    db,
    alerts.map(({ recipient }) => newRecipientColumns(recipient)),
  );
}

/** The rows of a new alert, as a change records them. */
export const addedAlertRows = ({ alert, recipient }: AlertWithRecipient): ChangedRow[] => [
  { table: 'alerts', key: alert.id, before: null, after: newAlertColumns(alert) },
  {
    table: 'alert_recipients',
    key: recipient.id,
    before: null,
    after: newRecipientColumns(recipient),
  },
];

/** Its creator is notified. */
export async function addAlert(
  db: CompanyDb,
  entry: NewAlert,
  at: number,
): Promise<UnnumberedAlert> {
  const alert = newUnnumberedAlert(entry, at);
  await addAlerts(db, [{ alert, recipient: newRecipient(alert) }]);
  return alert;
}

const newAlertColumns = ({ uncalibratedThreshold: _, ...alert }: UnnumberedAlert) =>
  alertMapper.toColumns(alert);

const newRecipientColumns = ({ id, alertId, userId }: NewRecipient) => ({
  id,
  alert_id: alertId,
  user_id: userId,
});

export type AlertChange = Partial<
  Pick<Alert, 'threshold' | 'hysteresis' | 'reminderTime' | 'isActive' | 'uncalibratedThreshold'>
>;

export async function changeAlert(
  db: CompanyDb,
  id: string,
  change: AlertChange,
  at: number,
): Promise<void> {
  await db
    .updateTable('alerts')
    .set({ ...alertMapper.toColumns(change), updated_at: at })
    .where('id', '=', id)
    .execute();
}

export interface MovedThreshold {
  readonly id: string;
  readonly threshold: string;
  readonly uncalibratedThreshold: number | null;
}

/** A calibration moves those of hundreds of alerts, each to a value of its own. */
export async function moveThresholds(
  db: CompanyDb,
  moved: readonly MovedThreshold[],
  at: number,
): Promise<void> {
  for (const chunk of chunksOf(moved, ALERTS_PER_QUERY)) {
    const valuesOf = (name: 'threshold' | 'uncalibratedThreshold') =>
      valuesByKey('id', new Map(chunk.map((each) => [each.id, each[name]])));
    await db
      .updateTable('alerts')
      .set({
        threshold: valuesOf('threshold'),
        uncalibrated_threshold: valuesOf('uncalibratedThreshold'),
        updated_at: at,
      })
      .where(
        'id',
        'in',
        chunk.map(({ id }) => id),
      )
      .execute();
  }
}

/** How many active alerts this member alone is told of. */
export const soleAlertCount = (db: CompanyDb, userId: number): Promise<number> =>
  rowCount(
    filteredAlerts(db, { isActive: true })
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('alert_recipients')
          .select('alert_recipients.alert_id')
          .where('alert_recipients.user_id', '=', userId),
      )
      .where('id', 'not in', (eb) =>
        eb
          .selectFrom('alert_recipients')
          .select('alert_recipients.alert_id')
          .where('alert_recipients.user_id', '!=', userId),
      ),
  );
