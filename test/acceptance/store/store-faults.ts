import { rowsOf } from '../../stores/stores.ts';
import { DAY, HOUR } from '../../time.ts';

/** Two sums of the same values in another order differ by less. */
const ROUNDING = 1e-6;

const wrongSums = (table: string, lengthMs: number): string => `
  select sensor_id, bucket_at, kept.count as kept, counted.count as counted
    from ${table} as kept
    full join (
      select company_id, sensor_id, at - at % ${lengthMs} as bucket_at, count(*) as count, sum(value) as sum
        from readings group by 1, 2, 3
    ) as counted using (company_id, sensor_id, bucket_at)
    where kept.count is distinct from counted.count or abs(kept.sum - counted.sum) > ${ROUNDING}`;

const duplicateRows = (table: string, columns: string, where = 'true'): string =>
  `select ${columns}, count(*) as times from ${table} where ${where} group by ${columns} having count(*) > 1`;

/** Each query finds rows that must not exist, in both dialects of SQL. */
const faultQueries = (now: number): Readonly<Record<string, string>> => ({
  'setup versions that leave a gap or overlap': `
    select * from (
      select id, valid_from, valid_to, lead(valid_from)
          over (partition by company_id, scope, module_id, parcel_id order by valid_from) as followed_at
        from installation_versions
    ) as versions where valid_to is distinct from followed_at or valid_to <= valid_from`,
  'occurrences that stand twice': duplicateRows(
    'waterings',
    'schedule_id, module_id, scheduled_start',
    'scheduled_start is not null',
  ),
  'occurrences of no schedule': `
    select waterings.id from waterings left join schedules
        on schedules.company_id = waterings.company_id and schedules.id = waterings.schedule_id
      where (schedule_id is null) <> (scheduled_start is null) or (schedule_id is not null and schedules.id is null)`,
  'occurrences ahead at a time that their schedule does not have': `
    select waterings.id, scheduled_start, start_times from waterings join schedules
        on schedules.company_id = waterings.company_id and schedules.id = waterings.schedule_id
      where status = 'planned' and is_detached = 0 and started_at > ${now} and start_times not like '%' || substr(scheduled_start, 12, 5) || '%'`,
  'hours that are not the sum of their readings': wrongSums('reading_hours', HOUR),
  'days that are not the sum of their readings': wrongSums('reading_days', DAY),
  'sensors whose local days do not add up to their hours': `
    select * from (
      select company_id, sensor_id, sum(count) as counted, sum(sum) as total from reading_hours group by 1, 2
    ) as hours full join (
      select company_id, sensor_id, sum(count) as in_days, sum(sum) as total_of_days from reading_local_days group by 1, 2
    ) as days using (company_id, sensor_id)
    where counted is distinct from in_days or abs(total - total_of_days) > ${ROUNDING}`,
  'episodes that end before they begin, or overlap': `
    select * from (
      select alert_id, started_at, ended_at, lead(started_at)
          over (partition by company_id, alert_id order by started_at) as followed_at
        from alert_episodes
    ) as episodes where ended_at <= started_at or ended_at > followed_at or (ended_at is null and followed_at is not null)`,
  'alerts whose state and record disagree on whether they fire': `
    select alert_states.alert_id, is_firing, since, alert_episodes.started_at from alert_states left join alert_episodes
        on alert_episodes.company_id = alert_states.company_id and alert_episodes.alert_id = alert_states.alert_id
          and ended_at is null
      where since is distinct from alert_episodes.started_at or (is_firing = 1) <> (since is not null)`,
  'alerts that nobody watches, or that are watched in vain': `
    select alerts.id, alerts.is_active, alert_states.alert_id from alerts left join alert_states
        on alert_states.company_id = alerts.company_id and alert_states.alert_id = alerts.id
      where (alerts.is_active = 1 and alerts.module_id is not null) <> (alert_states.alert_id is not null)`,
  'messages that stand twice': duplicateRows('outbox', 'id'),
  'mails under one number': duplicateRows('outbox', 'message_id', 'message_id is not null'),
});

export async function storeFaults(db: string): Promise<string[]> {
  const faultsFound: string[] = [];
  for (const [fault, query] of Object.entries(faultQueries(Date.now()))) {
    const rows = await rowsOf(db, query);
    if (rows.length > 0)
      faultsFound.push(`${rows.length} ${fault}: ${JSON.stringify(rows.slice(0, 5))}`);
  }
  return faultsFound;
}
