import { ALERT_KINDS } from '../../domain/alerts/alert-kinds.ts';
import { chunksOf, groupBy } from '../../domain/groups.ts';
import { announceChange } from '../company-changes.ts';
import { isPeriodRow, PERIOD_COLUMNS, toPeriod } from '../moisture/device-periods.ts';
import { renewReadingVersions } from '../moisture/reading-versions.ts';
import { preparedListQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

const WATCHED_TYPES = Object.values(ALERT_KINDS).map(({ measurement }) => measurement);

/**
 * A row for each sensor and alert of its module; for a sensor without alerts, or of which none
 * depends, one whose `alertId` is null. Each is repeated for every period of a device on the sensor,
 * so that an ordinary reading needs no further statement.
 */
const sensorsWithAlerts = preparedListQuery((db, sensorIds) =>
  db
    .selectFrom('sensors')
    .leftJoin('alerts', (join) =>
      join
        .onRef('alerts.module_id', '=', 'sensors.module_id')
        .on('sensors.type', 'in', WATCHED_TYPES),
    )
    .leftJoin('device_periods', 'device_periods.sensor_id', 'sensors.id')
    .select(['sensors.id as sensorId', 'sensors.module_id as moduleId', 'alerts.id as alertId'])
    .select(PERIOD_COLUMNS)
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

/** Whom changed readings concern. */
interface ReadingAnnouncement {
  readonly moduleIds: ReadonlySet<number>;
  /** The instant of the first changed reading, by alert. */
  readonly firstByAlert: ReadonlyMap<string, number>;
}

/** The modules of sensors, and the alerts on them. */
export type SensorWatchers = Awaited<ReturnType<typeof watchersOf>>;

export async function watchersOf(db: CompanyDb, sensorIds: readonly number[]) {
  const watchers = [];
  for (const ids of chunksOf(sensorIds, IDS_PER_QUERY))
    watchers.push(...(await sensorsWithAlerts(db, ids)));
  return watchers.map(({ sensorId, moduleId, alertId, ...row }) => ({
    sensorId,
    moduleId,
    alertId,
    period: isPeriodRow(row) ? toPeriod(row) : null,
  }));
}

/** `firstInstants` has the instant of the first changed reading by sensor id. */
export function readingAnnouncement(
  watchers: SensorWatchers,
  firstInstants: ReadonlyMap<number, number>,
): ReadingAnnouncement {
  const firstByAlert = new Map<string, number>();
  const moduleIds = new Set<number>();
  for (const { sensorId, moduleId, alertId } of watchers) {
    const at = firstInstants.get(sensorId);
    if (at === undefined) continue;
    moduleIds.add(moduleId);
    if (alertId !== null) firstByAlert.set(alertId, Math.min(firstByAlert.get(alertId) ?? at, at));
  }
  return { moduleIds, firstByAlert };
}

/**
 * Announces the change of the modules, renews the versions of their readings, and marks the alerts
 * for evaluation. Call it in the transaction that writes the readings.
 */
export async function announceReadings(
  db: CompanyDb,
  { moduleIds, firstByAlert }: ReadingAnnouncement,
): Promise<void> {
  announceChange(db, [...moduleIds]);
  await Promise.all([renewReadingVersions(db, moduleIds), markAllAlerts(db, firstByAlert)]);
}

async function markAllAlerts(
  db: CompanyDb,
  firstByAlert: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [at, alerts] of groupBy(firstByAlert, ([, first]) => first)) {
    const alertIds = alerts.map(([id]) => id);
    for (const chunk of chunksOf(alertIds, IDS_PER_QUERY)) await markAlerts(db, chunk, at);
  }
}
