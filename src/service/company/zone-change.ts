import { padTwo } from '../../domain/calendar.ts';
import { PLANNING_PERIOD_MS } from '../../domain/irrigation/occurrence-planner.ts';
import { scheduledTimesWithin } from '../../domain/irrigation/recurrence.ts';
import { civilAt } from '../../domain/time-zone.ts';
import type { ZoneAdvisory } from '../../language/company/zone-summary.ts';
import { type NameDirectory, targetName } from '../../language/summary-context.ts';
import type { Call, WriteContext } from '../../operation/call.ts';
import { DEFAULT_TIME_ZONE } from '../../schema/company/company.ts';
import { evaluateFiringAt } from '../../store/alerts/alert-states.ts';
import { alertCount, alertsAfter } from '../../store/alerts/alerts.ts';
import type { CompanyRow } from '../../store/company/companies.ts';
import { activeSchedules, type Schedule } from '../../store/irrigation/schedules.ts';

interface ZoneContext extends WriteContext {
  readonly directory: NameDirectory;
}

const MAX_LISTED = 3;

/**
 * Called once the company has another time zone. Schedules have a zone of their own, and reminders
 * are sent in that of the company. Returns what that means for local hours.
 */
export async function followNewZone(context: ZoneContext, zone: string): Promise<ZoneAdvisory[]> {
  await evaluateFiringAt(context.db, context.now);
  return [...(await keptSchedules(context, zone)), ...(await movedReminders(context))];
}

export type CompanyZone = Pick<CompanyRow, 'timezone'>;

export async function adviseOfNewZone(
  call: Call,
  before: CompanyZone,
  after: CompanyZone,
): Promise<void> {
  if (before.timezone === after.timezone) return;
  const advisories = await followNewZone(call, after.timezone ?? DEFAULT_TIME_ZONE);
  for (const advisory of advisories) call.advise(advisory);
}

async function keptSchedules(
  { db, now, directory }: ZoneContext,
  zone: string,
): Promise<ZoneAdvisory[]> {
  const kept = (await activeSchedules(db)).flatMap((schedule) => {
    const starts = schedule.timezone === zone ? [] : nextStarts(schedule, zone, now);
    return starts.length === 0 ? [] : [{ schedule, starts }];
  });
  if (kept.length === 0) return [];

  const schedules = await Promise.all(
    kept.slice(0, MAX_LISTED).map(async ({ schedule, starts }) => {
      const { label, targetModuleId, targetParcelId, timezone } = schedule;
      const target = { moduleId: targetModuleId, parcelId: targetParcelId };
      return { name: label ?? (await targetName(directory, target)), starts, timezone };
    }),
  );
  return [{ kind: 'schedules_keep_zone', schedules, count: kept.length }];
}

/** The local hour in `zone` of the next start at each start time. */
function nextStarts(schedule: Schedule, zone: string, now: number): string[] {
  const hours = new Map<string, string>();
  const times = scheduledTimesWithin(schedule, now + 1, now + PLANNING_PERIOD_MS);
  for (const { scheduledStart, startedAt } of times) {
    const startTime = scheduledStart.slice(scheduledStart.indexOf('T') + 1);
    const { hour, minute } = civilAt(startedAt, zone);
    if (!hours.has(startTime)) hours.set(startTime, `${padTwo(hour)}:${padTwo(minute)}`);
  }

  return [...new Set(hours.values())].sort();
}

async function movedReminders({ db, directory }: ZoneContext): Promise<ZoneAdvisory[]> {
  const count = await alertCount(db, { isActive: true });
  if (count === 0) return [];

  const first = await alertsAfter(db, { isActive: true }, 0, MAX_LISTED);
  const alerts = await Promise.all(
    first.map(async ({ moduleId, reminderTime }) => ({
      name: await targetName(directory, { moduleId, parcelId: null }),
      reminderTime,
    })),
  );
  return [{ kind: 'reminders_follow_zone', alerts, count }];
}
