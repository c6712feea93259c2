import { endOfDay, maxDailyRows } from '../../domain/shares/daily-rows.ts';
import { dailyRowsOfCompanies } from '../../store/daily-rows.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { type DoctorFinding, findingsAbout, formatUtcSecond } from './findings.ts';

/** A company that has added more of its rows of today is named. */
const NOTABLE_SHARE = 0.8;

export async function checkDailyRows(
  now: number,
  view: StoreView | null,
): Promise<DoctorFinding[]> {
  if (!view) return [];

  const companies = (await view.read((all) => dailyRowsOfCompanies(all, now))).map(
    ({ name, rows, probes }) => ({ name, rows, limit: maxDailyRows(probes ?? 0) }),
  );
  const newFinding = findingsAbout('rows');
  const notable = companies.filter(({ rows, limit }) => rows > NOTABLE_SHARE * limit);
  if (notable.length > 0)
    return notable.map(({ name, rows, limit }) =>
      newFinding.doubtful(
        `${name} has added ${rows} of the ${limit} rows that it may add today`,
        `Beyond them its writes are refused until ${formatUtcSecond(endOfDay(now))}, except readings and undo. See with list_changes who writes so much.`,
      ),
    );

  const total = companies.reduce((sum, { rows }) => sum + rows, 0);
  return [newFinding.good(`${total} added today, no company near its limit`)];
}
