import { HOUR_MS } from '../../domain/periods.ts';
import {
  hasProbeDoubts,
  hasReadingVersions,
  lastDoubtCheck,
} from '../../store/alerts/probe-doubts.ts';
import { changeCount } from '../../store/changes/change-counts.ts';
import type { CompanyDb } from '../../store/tables.ts';

/** A doubt is reported after days, and to examine a large farm takes seconds. */
const CHECK_EVERY_MS = 6 * HOUR_MS;

/** Where nothing has changed, only doubts that last or have gone are examined again. */
export async function isDoubtCheckDue(db: CompanyDb, now: number): Promise<boolean> {
  const last = await lastDoubtCheck(db);
  if (last === null) return hasReadingVersions(db);

  // It is later than now after a clock was wrong.
  const isTime = now < last.checkedAt || now - last.checkedAt >= CHECK_EVERY_MS;
  return isTime && ((await changeCount(db)) !== last.changeCount || hasProbeDoubts(db));
}
