import { belowThreshold, resolutionThreshold } from '../../domain/alerts/alert-episodes.ts';
import { type AlertKind, UNNAMED_KIND } from '../../domain/alerts/alert-kinds.ts';
import { firstOf, withoutNulls } from '../../domain/items.ts';
import { readingAge } from '../../domain/moisture/coverage.ts';
import { nameInSentence } from '../../domain/text.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type {
  AlertBody,
  AlertStateBody,
  BacktestBody,
  ListedAlertBody,
  ParcelAlertsBody,
} from '../../schema/alerts/alert.ts';
import { englishFormat } from '../en/grammar.ts';
import { describeMissingShare } from '../moisture/moisture-summary.ts';
import { formatNumber, formatTotalHours } from '../number-format.ts';
import { joinSentences } from '../sentences.ts';
import {
  listNamesOrNull,
  moduleName,
  parcelName,
  parcelWithProbes,
  type SummaryContext,
  type WordingContext,
} from '../summary-context.ts';
import { formatInstant, formatTime, formatTimeSpan } from '../time.ts';
import { type AlertLevelFacts, type AlertRuleFacts, alertPhrases } from './alert-phrases.ts';
import { describeNotice } from './notice-summary.ts';

/** A body names no kind. */
interface Levels extends Pick<AlertBody, 'threshold' | 'hysteresis'> {
  readonly alertKind?: AlertKind;
}
type AlertRule = Levels & Pick<AlertBody, 'reminderTime'>;

const trimSeconds = (time: string): string => time.replace(/:00$/, '');

const formatLevels = (rule: Levels): AlertLevelFacts => ({
  alertKind: rule.alertKind ?? UNNAMED_KIND,
  threshold: formatNumber(rule.threshold),
  resolveAt: formatNumber(resolutionThreshold(rule)),
});

const ruleFacts = (
  rule: AlertRule,
  context: WordingContext,
  hasReminder = false,
): AlertRuleFacts => ({
  ...formatLevels(rule),
  reminderTime: hasReminder ? trimSeconds(rule.reminderTime) : null,
  zone: context.zone,
});

async function alertTargetName(
  { moduleId, parcelId }: AlertBody,
  context: SummaryContext,
): Promise<string> {
  if (moduleId !== null) return moduleName(context.directory, moduleId);
  return alertPhrases.noProbe(
    parcelId === null ? null : await parcelName(context.directory, parcelId),
  );
}

const valueFacts = (rule: Levels, value: number | null) => ({
  value: value === null ? null : formatNumber(value),
  isBelow: value !== null && belowThreshold(rule)(value),
});

export function describeAlertState(
  rule: AlertRule,
  state: AlertStateBody,
  context: WordingContext,
): string {
  const at = (time: string | null): string | null =>
    time === null ? null : formatTime(time, context);
  return alertPhrases.state(ruleFacts(rule, context), {
    ...valueFacts(rule, state.value_vwc),
    at: at(state.time),
    isStale: state.status === 'stale',
    since: at(state.since),
  });
}

/** Instants in ms. */
export function describeFiring(
  alert: Omit<Extract<Advisory, { kind: 'alert_firing' }>, 'kind'>,
  context: WordingContext,
): string {
  const at = (instant: number): string => formatInstant(instant, context);
  const { since, evaluatedAt, value } = alert;
  if (evaluatedAt !== null && !readingAge(evaluatedAt, context.now).isFresh)
    return alertPhrases.firingOnStaleData(at(since), at(evaluatedAt));
  return alertPhrases.firing(formatLevels(alert), valueFacts(alert, value), at(since));
}

export async function summarizeCreatedAlert(
  body: AlertBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<string> {
  const { hindrance, promise } = describeNotice(advisories, context);
  const rule = ruleFacts(body, context, promise !== null);
  return joinSentences([
    hindrance,
    alertPhrases.created(await alertTargetName(body, context), rule),
    promise,
  ]);
}

/** Names the probes that are firing or that were left out. */
export async function summarizeParcelAlerts(
  { parcelId, alerts, leftOut }: ParcelAlertsBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<string> {
  const namesOf = async (ids: readonly (number | null)[]): Promise<string | null> =>
    listNamesOrNull(
      await Promise.all(withoutNulls(ids).map((id) => moduleName(context.directory, id))),
    );
  const watched = withoutNulls(alerts.map(({ moduleId }) => moduleId));
  const parcel = parcelWithProbes(
    await parcelName(context.directory, parcelId),
    await Promise.all(watched.map((id) => moduleName(context.directory, id))),
  );
  const isFiring = ({ state }: ListedAlertBody): boolean => state?.firing === true;
  const firing = await namesOf(alerts.filter(isFiring).map(({ moduleId }) => moduleId));
  const others = await namesOf(leftOut);
  const { hindrance, promise } = describeNotice(advisories, context);
  const rule = ruleFacts(firstOf(alerts), context, promise !== null);

  return joinSentences([
    hindrance,
    alertPhrases.createdOnParcel(alerts.length, parcel, rule),
    promise,
    firing && alertPhrases.firingNow(firing),
    others && alertPhrases.leftOut(others),
  ]);
}

export async function summarizeUpdatedAlert(
  body: AlertBody,
  context: SummaryContext,
  _: unknown,
  advisories: readonly Advisory[],
): Promise<string> {
  const { hindrance, promise } = describeNotice(advisories, context);
  const target = await alertTargetName(body, context);
  const rule = ruleFacts(body, context, promise !== null);
  return joinSentences([hindrance, alertPhrases.updated(target, rule, body.isActive), promise]);
}

export async function summarizeAlerts(
  page: { data: ListedAlertBody[]; next_cursor: string | null },
  context: SummaryContext,
): Promise<string> {
  if (page.data.length === 0) return alertPhrases.noneMatches;
  const recipientsOf = (alert: ListedAlertBody): string | null =>
    listNamesOrNull(alert.recipients.map(({ userName }) => nameInSentence(userName)));
  const allRecipients = new Set(page.data.map(recipientsOf));
  const [sharedRecipients = null] = allRecipients.size === 1 ? allRecipients : [];

  const rows: string[] = [];
  for (const alert of page.data) {
    const row = await describeAlert(alert, context);
    const names = recipientsOf(alert);
    rows.push(
      names === null || names === sharedRecipients
        ? row
        : alertPhrases.rowWithRecipients(row, names),
    );
  }

  return joinSentences([
    alertPhrases.page(rows, context.zone),
    sharedRecipients && alertPhrases.recipients(sharedRecipients),
  ]);
}

export async function describeAlert(
  alert: ListedAlertBody,
  context: SummaryContext,
): Promise<string> {
  const withoutState = alert.isActive ? alertPhrases.neverEvaluated : alertPhrases.disabled;
  const state = alert.state ? describeAlertState(alert, alert.state, context) : withoutState;
  return alertPhrases.row(await alertTargetName(alert, context), formatLevels(alert), state);
}

interface BacktestInput {
  readonly moduleId: number;
  readonly threshold?: number | undefined;
  readonly maxEpisodes?: number | undefined;
}

export async function summarizeBacktest(
  { episodes, missingShare, gaps, inForce, hoursBelow, reminders }: BacktestBody,
  context: SummaryContext,
  { moduleId, threshold, maxEpisodes }: BacktestInput,
): Promise<string> {
  const at = (time: string): string => formatTime(time, context);

  const last = episodes.at(-1);
  const isTruncated = episodes.length === maxEpisodes;
  const totals = {
    times: episodes.length,
    isTruncated,
    timeBelow: formatTotalHours(hoursBelow),
    reminders,
  };

  const name = await moduleName(context.directory, moduleId);
  return joinSentences([
    alertPhrases.wouldHaveFired(formatNumber(threshold ?? inForce?.threshold ?? ''), name, totals),
    last
      ? alertPhrases.lastEpisode({
          isOnlyEpisode: episodes.length === 1,
          start: at(last.start),
          end: last.end === null ? null : at(last.end),
          zone: context.zone,
          lowest: formatNumber(last.lowest),
        })
      : null,
    inForce === null ? alertPhrases.noneInForce : describeAlertInForce(inForce),
    `${describeMissingShare(missingShare)}.`,
    ...describeGaps(gaps, context),
  ]);
}

const MAX_NAMED_GAPS = 3;

/** The newest first: without the last hours, what the threshold would do now is unknown. */
function describeGaps(
  { newest, older }: NonNullable<BacktestBody['gaps']>,
  context: SummaryContext,
): string[] {
  if (newest.length === 0) return [];
  const { lastHours, firstHours, gap, gaps } = alertPhrases;
  const named = newest.slice(0, MAX_NAMED_GAPS).map(({ start, end, hours }) => {
    const duration = formatTotalHours(hours);
    if (end === null) return lastHours(duration);
    if (start === null) return firstHours(formatInstant(Date.parse(end), context), duration);
    return gap(formatTimeSpan(Date.parse(start), Date.parse(end), context), duration);
  });
  return [gaps(englishFormat.list(named), older + newest.length - named.length)];
}

function describeAlertInForce({
  threshold,
  episodes,
  hoursBelow,
  reminders,
}: NonNullable<BacktestBody['inForce']>): string {
  return alertPhrases.inForce(formatNumber(threshold), {
    times: episodes,
    isTruncated: false,
    timeBelow: formatTotalHours(hoursBelow),
    reminders,
  });
}
