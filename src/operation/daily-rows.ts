import { SECOND_MS } from '../domain/periods.ts';
import { DAILY_ROWS_PER_MODULE, MIN_DAILY_ROWS } from '../domain/shares/bounded-things.ts';
import { endOfDay, maxDailyRows, maxPlannedRowsPerDay } from '../domain/shares/daily-rows.ts';
import { operationName } from '../domain/text/program-names.ts';
import { say } from '../domain/text/say.ts';
import { timeOf } from '../domain/text/times.ts';
import { AcequiaError } from '../schema/error.ts';
import { moduleCount } from '../store/company/modules.ts';
import { addDailyRows, dailyRows } from '../store/daily-rows.ts';
import type { CompanyDb } from '../store/tables.ts';
import type { WriteContext } from './call.ts';

export const DAILY_LIMIT = 'daily_limit';

/**
 * Throws if the company has added as many rows today as it may, unless they must not be refused.
 */
export async function countAddedRows(
  { db, now }: WriteContext,
  rows: number,
  { mayRefuse }: { readonly mayRefuse: boolean },
): Promise<void> {
  const total = await addDailyRows(db, now, rows);
  if (mayRefuse && total > MIN_DAILY_ROWS) await assertWithinDay(db, total, now);
}

/**
 * Throws for rows that later transactions of the call would add, because they cannot be refused
 * then.
 */
export async function assertRoomForPlannedRows(
  { db, now }: WriteContext,
  { added, perDay }: { readonly added: number; readonly perDay: number },
): Promise<void> {
  const total = (await dailyRows(db, now)) + added;
  if (total > MIN_DAILY_ROWS) await assertWithinDay(db, total, now);

  const limit = maxPlannedRowsPerDay(await moduleCount(db, {}));
  if (perDay <= limit) return;
  throw new AcequiaError({
    code: DAILY_LIMIT,
    status: 429,
    message: say`The schedules of the company would plan ${Math.ceil(perDay)} waterings a day, and may plan ${limit}.`,
    hint: say`Pause or shorten schedules that are not needed; each start on each probe counts.`,
  });
}

async function assertWithinDay(db: CompanyDb, total: number, now: number): Promise<void> {
  const limit = maxDailyRows(await moduleCount(db, {}));
  if (total <= limit) return;

  const end = endOfDay(now);
  throw new AcequiaError({
    code: DAILY_LIMIT,
    status: 429,
    message: say`The company may add ${limit} rows a day, and this would be ${total}.`,
    hint: say`Waterings (planned ones too), setups, schedules, alerts, drawings, rain and other entries count, each change and each stored answer, ${DAILY_ROWS_PER_MODULE} for each module and at least ${MIN_DAILY_ROWS}. Readings are accepted meanwhile, and ${operationName('undo')} unless it restores what another one removed. The next day begins at ${timeOf(end)}.`,
    retryAfterS: Math.ceil((end - now) / SECOND_MS),
  });
}
