import { executeStatements } from '../../stores/stores.ts';

export const alertId = (n: number): string =>
  `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const FIRING_SINCE = Date.UTC(2026, 5, 30, 4);
const CREATED_AT = Date.UTC(2026, 5, 1);

/** Writes alerts as another process would. The ones in `firing` are firing. */
export const addAlerts = (db: string, count: number, firing: readonly number[]): Promise<void> =>
  executeStatements(
    db,
    ...Array.from({ length: count }, (_, index) => index + 1).flatMap((n) => {
      const isFiring = firing.includes(n);
      return [
        `insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active, created_by,
           created_at, updated_at) values ('${alertId(n)}', 1, 1, '20', '5', '08:00:00', 'manual', 1, 1, ${CREATED_AT}, ${CREATED_AT})`,
        `insert into alert_states (company_id, alert_id, evaluated_at, value, is_firing, since, pending_marks, evaluated_marks,
           notified_firing, notified_stale) values (1, '${alertId(n)}', ${FIRING_SINCE}, 18.4, ${Number(isFiring)},
           ${isFiring ? FIRING_SINCE : null}, 0, 0, ${Number(isFiring)}, 0)`,
      ];
    }),
  );

export const setFiring = (db: string, n: number, since: number | null): Promise<void> =>
  setFiringOf(db, alertId(n), since);

/** Counts the change, as each transaction of the program does. */
export const setFiringOf = (db: string, id: string, since: number | null): Promise<void> =>
  executeStatements(
    db,
    `insert into change_counts (company_id, count)
       select company_id, 1 from alert_states where alert_id = '${id}'
       on conflict (company_id) do update set count = change_counts.count + 1`,
    `update alert_states set is_firing = ${since === null ? 0 : 1}, since = ${since} where alert_id = '${id}'`,
  );
