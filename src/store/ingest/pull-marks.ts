import type { CompanyDb } from '../tables.ts';

interface PulledDevice {
  readonly provider: string;
  readonly device: string;
}

/** Null if nothing was pulled yet. */
export async function pulledUntil(
  db: CompanyDb,
  { provider, device }: PulledDevice,
): Promise<number | null> {
  const row = await db
    .selectFrom('pull_marks')
    .select('pulled_until')
    .where('provider', '=', provider)
    .where('device', '=', device)
    .executeTakeFirst();
  return row?.pulled_until ?? null;
}

/**
 * Never moves the mark back: of two processes that pull the same device, the slower one changes
 * nothing.
 */
export async function movePullMark(
  db: CompanyDb,
  { provider, device }: PulledDevice,
  until: number,
): Promise<void> {
  await db
    .insertInto('pull_marks')
    .values({ provider, device, pulled_until: until })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'device'])
        .doUpdateSet({ pulled_until: until })
        .where('pull_marks.pulled_until', '<', until),
    )
    .execute();
}
