import { belowThreshold, resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { ALERT_KINDS, type AlertKind, UNNAMED_KIND } from '../../domain/alerts/alert-kinds.ts';
import { firstOf, withoutNulls } from '../../domain/items.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { exact } from '../../domain/text/figures.ts';
import { counted, join, name, noun, say, sentences } from '../../domain/text/say.ts';
import type { Figures, Text } from '../../domain/text/text.ts';
import { clock, timeOf, zone } from '../../domain/text/times.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type {
  AlertBody,
  AlertStateBody,
  ListedAlertBody,
  ParcelAlertsBody,
} from '../../schema/alerts/alert.ts';
import type { SummaryContext, WordingContext } from '../summary-context.ts';
import {
  moduleText,
  parcelText,
  shortList,
  shortListOrNull,
  withProbes,
} from '../text/names-of-farm.ts';
import { ALERT_KIND_WORDS } from './alert-kind-words.ts';
import { describeNotice } from './notice-summary.ts';

/** A body names no kind. */
interface Levels extends Pick<AlertBody, 'threshold' | 'hysteresis'> {
  readonly alertKind?: AlertKind;
}
type AlertRule = Levels & Pick<AlertBody, 'reminderTime'>;

const kindOf = ({ alertKind = UNNAMED_KIND }: Levels): AlertKind => alertKind;

/** With the unit of what is watched. */
const levelOf = (rule: Levels, level: number | string): Figures =>
  exact(Number(level), ALERT_KINDS[kindOf(rule)].symbol);

async function alertTarget(
  { moduleId, parcelId }: AlertBody,
  { directory }: SummaryContext,
): Promise<Text> {
  if (moduleId !== null) return moduleText(directory, moduleId);
  return parcelId === null
    ? say`no probe`
    : say`no probe (${await parcelText(directory, parcelId)})`;
}

function describeValue(rule: Levels, value: number): Text {
  const shown = levelOf(rule, value);
  return belowThreshold(rule)(value)
    ? say`${shown} is below ${levelOf(rule, rule.threshold)}`
    : say`${shown} is not yet ${levelOf(rule, resolutionThreshold(rule))}`;
}

/** `since` is of the first reading that counts: it may be older than the alert. */
export function describeAlertState(
  rule: Levels,
  { status, value_vwc: value, time, since }: AlertStateBody,
): Text {
  const watched = ALERT_KIND_WORDS[kindOf(rule)].noun;
  const lowSince = since === null ? null : say`low since ${timeOf(since)}`;
  if (time === null) return say`quiet, with no ${watched} readings yet`;
  if (status === 'stale')
    return say`stale: its newest ${watched} is from ${timeOf(time)}${lowSince && say`, and it is still firing, ${lowSince}`}`;
  if (value === null)
    return say`${lowSince ? say`firing` : say`quiet`}, with no value ${timeOf(time)}`;
  return lowSince
    ? say`firing: ${describeValue(rule, value)}, ${lowSince}`
    : say`quiet: ${levelOf(rule, value)} ${timeOf(time)}`;
}

export function describeFiringAlert(
  alert: Omit<Extract<Advisory, { kind: 'alert_firing' }>, 'kind'>,
  { now }: WordingContext,
): Text {
  const { since, evaluatedAt, value } = alert;
  if (evaluatedAt !== null && !readingAge(evaluatedAt, now).isFresh)
    return say`Moisture has been low for its alert since ${timeOf(since)}, but its newest reading is from ${timeOf(evaluatedAt)}.`;
  const compared = value === null ? null : say`${describeValue(alert, value)}, `;
  return say`Its alert is firing: ${compared}low since ${timeOf(since)}.`;
}

/** "below 20 % until 25 %, with a reminder each day at 08:00 (Europe/Paris)" */
function describeRule(rule: AlertRule, hasReminder: boolean): Text {
  const reminder = say`, with a reminder each day at ${clock(withoutSeconds(rule.reminderTime))} (${zone})`;
  return say`below ${levelOf(rule, rule.threshold)} until ${levelOf(rule, resolutionThreshold(rule))}${hasReminder ? reminder : null}`;
}

const withoutSeconds = (time: string): string => time.replace(/:00$/, '');

export async function summarizeCreatedAlert(
  body: AlertBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const { hindrance, promise } = describeNotice(advisories, context);
  const rule = describeRule(body, promise !== null);
  return sentences([
    hindrance,
    say`The new alert on ${await alertTarget(body, context)} fires ${rule}.`,
    promise,
  ]);
}

/** Names the probes that are firing or that were left out. */
export async function summarizeParcelAlerts(
  { parcelId, alerts, leftOut }: ParcelAlertsBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const { directory } = context;
  const namesOf = (ids: readonly (number | null)[]): Promise<Text[]> =>
    Promise.all(withoutNulls(ids).map((id) => moduleText(directory, id)));
  const parcel = withProbes(
    await parcelText(directory, parcelId),
    await namesOf(alerts.map(({ moduleId }) => moduleId)),
  );
  const isFiring = ({ state }: ListedAlertBody): boolean => state?.firing === true;
  const firing = shortListOrNull(
    await namesOf(alerts.filter(isFiring).map(({ moduleId }) => moduleId)),
  );
  const others = shortListOrNull(await namesOf(leftOut));
  const { hindrance, promise } = describeNotice(advisories, context);
  const rule = describeRule(firstOf(alerts), promise !== null);

  return sentences([
    hindrance,
    say`${counted(alerts.length, 'new alert')} on ${parcel} ${noun(alerts.length, 'fires', 'fire')} ${rule}.`,
    promise,
    firing && say`Firing already: ${firing}.`,
    others && say`Left out, without readings of soil moisture: ${others}.`,
  ]);
}

export async function summarizeUpdatedAlert(
  body: AlertBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<Text> {
  const { hindrance, promise } = describeNotice(advisories, context);
  const fires = body.isActive ? say`now fires` : say`is disabled; enabled again it fires`;
  const rule = describeRule(body, promise !== null);
  return sentences([
    hindrance,
    say`The alert on ${await alertTarget(body, context)} ${fires} ${rule}.`,
    promise,
  ]);
}

export async function summarizeAlerts(
  { data }: { readonly data: readonly ListedAlertBody[] },
  context: SummaryContext,
): Promise<Text> {
  const [first] = data;
  if (first === undefined) return say`No alert matches.`;

  const haveSameRecipients = data.every(
    (alert) => namesOfRecipients(alert) === namesOfRecipients(first),
  );
  const rows = data.map(async (alert) => {
    const row = await describeAlert(alert, context);
    const recipients = haveSameRecipients ? null : recipientsOf(alert);
    return recipients === null ? row : say`${row}, for ${recipients}`;
  });
  const shared = haveSameRecipients ? recipientsOf(first) : null;

  return sentences([
    say`Alerts (${zone}): ${join(await Promise.all(rows), say`; `)}.`,
    shared && say`Mail is addressed to ${shared}.`,
  ]);
}

const namesOfRecipients = ({ recipients }: ListedAlertBody): string =>
  JSON.stringify(recipients.map(({ userName }) => userName));

const recipientsOf = ({ recipients }: ListedAlertBody): Text | null =>
  recipients.length === 0 ? null : shortList(recipients.map(({ userName }) => name(userName)));

export async function describeAlert(
  alert: ListedAlertBody,
  context: SummaryContext,
): Promise<Text> {
  const withoutState = alert.isActive ? say`never evaluated` : say`disabled`;
  const state = alert.state ? describeAlertState(alert, alert.state) : withoutState;
  return say`${await alertTarget(alert, context)} below ${levelOf(alert, alert.threshold)}, ${state}`;
}
