import { resolveLevel } from '../domain/alert.ts';
import type { Saying } from '../operation/call.ts';
import { moduleName, parcelName } from '../operation/directory.ts';
import { sayInstant } from '../operation/say-time.ts';
import type { AlertBody, AlertStateBody, WatchedAlertBody } from '../schema/alert.ts';
import { sayFiringValue } from './firing.ts';

type Rule = Pick<AlertBody, 'threshold' | 'hysteresis' | 'reminderTime'>;

/** "08:00", with the seconds where they are not 0. */
const sayClock = (time: string): string => time.replace(/:00$/, '');

/** "below 20 % until 25 %, with a reminder each day at 08:00 (Europe/Paris)". */
const sayRule = (rule: Rule, { zone }: Saying): string =>
  `below ${rule.threshold} % until ${resolveLevel(rule)} %, with a reminder each day at ${sayClock(rule.reminderTime)} (${zone})`;

async function targetName({ moduleId, parcelId }: AlertBody, { directory }: Saying): Promise<string> {
  if (moduleId !== null) return moduleName(directory, moduleId);
  return parcelId === null ? 'no probe' : `no probe (${await parcelName(directory, parcelId)})`;
}

/** How an alert stands: "quiet: 24.1 % today 11:45", "firing since yesterday 06:00: 18.4 % is below 20 %". */
export function sayAlertState(rule: Rule, state: AlertStateBody, { zone, now }: Saying): string {
  const at = (time: string): string => sayInstant(Date.parse(time), zone, now);
  const firing = state.since === null ? null : `firing since ${at(state.since)}`;
  const { value_vwc: value, time } = state;
  if (time === null) return 'quiet, without any moisture yet';
  if (state.status === 'stale')
    return `stale: its newest moisture is of ${at(time)}${firing === null ? '' : `, and it stays ${firing}`}`;
  if (value === null) return `${firing ?? 'quiet'}, with no value ${at(time)}`;
  return firing === null ? `quiet: ${value} % ${at(time)}` : `${firing}: ${sayFiringValue(rule, value)}`;
}

export const sayCreatedAlert = async (body: AlertBody, call: Saying): Promise<string> =>
  [`The new alert on ${await targetName(body, call)} fires ${sayRule(body, call)}.`, ...call.remarks].join(' ');

export async function sayUpdatedAlert(body: AlertBody, call: Saying): Promise<string> {
  const fires = body.isActive ? 'now fires' : 'is disabled; enabled again it fires';
  return [`The alert on ${await targetName(body, call)} ${fires} ${sayRule(body, call)}.`, ...call.remarks].join(' ');
}

/** The alerts of a page, what each stands at. */
export async function sayAlerts(
  { data, next_cursor }: { data: WatchedAlertBody[]; next_cursor: string | null },
  call: Saying,
): Promise<string> {
  if (data.length === 0) return ['No alert matches.', ...call.remarks].join(' ');
  const words = [];
  for (const each of data) {
    const unwatched = each.isActive ? 'never evaluated' : 'disabled';
    const standing = each.state ? sayAlertState(each, each.state, call) : unwatched;
    words.push(`${await targetName(each, call)} below ${each.threshold} %, ${standing}`);
  }
  const more = next_cursor === null ? [] : ['More follow: pass next_cursor as cursor.'];
  return [`Alerts (${call.zone}): ${words.join('; ')}.`, ...call.remarks, ...more].join(' ');
}
