import type { DoubtReason, LastingDoubt } from '../../domain/advice/lasting-doubts.ts';
import { preparedQuery } from '../queries/prepared-query.ts';
import type { CompanyDb } from '../tables.ts';

export interface ProbeDoubt extends LastingDoubt {
  readonly moduleId: number;
}

const doubtRows = preparedQuery((db) =>
  db
    .selectFrom('probe_doubts')
    .selectAll()
    .orderBy('module_id')
    .orderBy('reason')
    .$narrowType<{ reason: DoubtReason }>(),
);

export const probeDoubts = async (db: CompanyDb): Promise<ProbeDoubt[]> =>
  (await doubtRows(db)).map((row) => ({
    moduleId: row.module_id,
    reason: row.reason,
    since: row.since,
    goneSince: row.gone_since,
    messagedAt: row.messaged_at,
  }));

export async function saveProbeDoubt(db: CompanyDb, doubt: ProbeDoubt): Promise<void> {
  const instants = {
    since: doubt.since,
    gone_since: doubt.goneSince,
    messaged_at: doubt.messagedAt,
  };
  await db
    .insertInto('probe_doubts')
    .values({ module_id: doubt.moduleId, reason: doubt.reason, ...instants })
    .onConflict((conflict) => conflict.columns(['module_id', 'reason']).doUpdateSet(instants))
    .execute();
}

export async function deleteProbeDoubt(
  db: CompanyDb,
  { moduleId, reason }: Pick<ProbeDoubt, 'moduleId' | 'reason'>,
): Promise<void> {
  await db
    .deleteFrom('probe_doubts')
    .where('module_id', '=', moduleId)
    .where('reason', '=', reason)
    .execute();
}

export interface DoubtCheck {
  readonly checkedAt: number;
  /** The count of the company when the probes were examined. */
  readonly changeCount: number;
}

const checkRow = preparedQuery((db) =>
  db.selectFrom('doubt_checks').select(['checked_at as checkedAt', 'change_count as changeCount']),
);

/** Null before the first one. */
export const lastDoubtCheck = async (db: CompanyDb): Promise<DoubtCheck | null> =>
  (await checkRow(db))[0] ?? null;

export async function recordDoubtCheck(
  db: CompanyDb,
  { checkedAt, changeCount }: DoubtCheck,
): Promise<void> {
  await db.deleteFrom('doubt_checks').execute();
  await db
    .insertInto('doubt_checks')
    .values({ checked_at: checkedAt, change_count: changeCount })
    .execute();
}

const anyDoubt = preparedQuery((db) => db.selectFrom('probe_doubts').select('reason').limit(1));

export const hasProbeDoubts = async (db: CompanyDb): Promise<boolean> =>
  (await anyDoubt(db)).length > 0;

const anyReadings = preparedQuery((db) =>
  db.selectFrom('reading_versions').select('module_id').limit(1),
);

/** False for a company that never had readings. */
export const hasReadingVersions = async (db: CompanyDb): Promise<boolean> =>
  (await anyReadings(db)).length > 0;
