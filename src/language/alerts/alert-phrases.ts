import { ALERT_KINDS, type AlertKind } from '../../domain/alerts/alert-kinds.ts';
import type { LineDoubt } from '../../domain/moisture/line-limits.ts';
import { englishCount, englishNoun } from '../en/grammar.ts';
import { nextAction, nextCall, sameCallWith } from '../next-calls.ts';
import { ALERT_KIND_WORDS } from './alert-kind-words.ts';

export interface AlertLevelFacts {
  readonly alertKind: AlertKind;
  readonly threshold: string;
  readonly resolveAt: string;
}

export interface AlertRuleFacts extends AlertLevelFacts {
  /** Null where no reminder is promised. */
  readonly reminderTime: string | null;
  readonly zone: string;
}

/** Values and instants as text. */
export interface AlertStateFacts {
  readonly value: string | null;
  readonly at: string | null;
  readonly isStale: boolean;
  /** Of the first reading that counts: it may be older than the alert. */
  readonly since: string | null;
  readonly isBelow: boolean;
}

export interface BacktestFacts {
  readonly times: number;
  /** True if the answer lists only some of the episodes. */
  readonly isTruncated: boolean;
  readonly timeBelow: string;
  readonly reminders: number;
}

const formatAlertValue = (
  { alertKind, threshold, resolveAt }: AlertLevelFacts,
  { value, isBelow }: Pick<AlertStateFacts, 'value' | 'isBelow'>,
): string => {
  const { symbol } = ALERT_KINDS[alertKind];
  return isBelow
    ? `${value} ${symbol} is below ${threshold} ${symbol}`
    : `${value} ${symbol} is not yet ${resolveAt} ${symbol}`;
};

function formatState(rule: AlertRuleFacts, state: AlertStateFacts): string {
  const { value, at, isStale, since } = state;
  const { noun } = ALERT_KIND_WORDS[rule.alertKind];
  const status = since === null ? 'quiet' : 'firing';
  if (at === null) return `quiet, with no ${noun} readings yet`;
  if (isStale)
    return `stale: its newest ${noun} is from ${at}${since === null ? '' : `, and it is still firing, low since ${since}`}`;
  if (value === null) return `${status}, with no value ${at}`;
  return since === null
    ? `quiet: ${value} ${ALERT_KINDS[rule.alertKind].symbol} ${at}`
    : `firing: ${formatAlertValue(rule, state)}, low since ${since}`;
}

function formatRule(rule: AlertRuleFacts): string {
  const { alertKind, threshold, resolveAt, reminderTime, zone } = rule;
  const { symbol } = ALERT_KINDS[alertKind];
  const reminder =
    reminderTime === null ? '' : `, with a reminder each day at ${reminderTime} (${zone})`;
  return `below ${threshold} ${symbol} until ${resolveAt} ${symbol}${reminder}`;
}

const formatCount = (amount: number, one: string): string =>
  amount === 0 ? `no ${one}s` : englishCount(amount, one);

function formatTimes({ times, isTruncated, timeBelow, reminders }: BacktestFacts): string {
  const often = isTruncated
    ? `at least ${times} times`
    : englishNoun(times, 'once', `${times} times`);
  return `${often}, ${timeBelow} below it, ${formatCount(reminders, 'reminder')}`;
}

interface LastEpisodeFacts {
  readonly isOnlyEpisode: boolean;
  readonly start: string;
  readonly end: string | null;
  readonly zone: string;
  readonly lowest: string;
}

export const alertPhrases = {
  noProbe: (parcel: string | null) => `no probe${parcel === null ? '' : ` (${parcel})`}`,
  state: formatState,
  neverEvaluated: 'never evaluated',
  disabled: 'disabled',
  created: (target: string, rule: AlertRuleFacts) =>
    `The new alert on ${target} fires ${formatRule(rule)}.`,
  /** `parcel` with the probes that are watched. */
  createdOnParcel: (count: number, parcel: string, rule: AlertRuleFacts) =>
    `${englishCount(count, 'new alert')} on ${parcel} ${englishNoun(count, 'fires', 'fire')} ${formatRule(rule)}.`,
  firingNow: (probes: string) => `Firing already: ${probes}.`,
  leftOut: (modules: string) => `Left out, without readings of soil moisture: ${modules}.`,
  updated: (target: string, rule: AlertRuleFacts, isActive: boolean) =>
    `The alert on ${target} ${isActive ? 'now fires' : 'is disabled; enabled again it fires'} ${formatRule(rule)}.`,
  noneMatches: 'No alert matches.',
  row: (target: string, { alertKind, threshold }: AlertLevelFacts, state: string) =>
    `${target} below ${threshold} ${ALERT_KINDS[alertKind].symbol}, ${state}`,
  rowWithRecipients: (row: string, names: string) => `${row}, for ${names}`,
  recipients: (names: string) => `Mail is addressed to ${names}.`,
  page: (rows: readonly string[], zone: string) => `Alerts (${zone}): ${rows.join('; ')}.`,
  firing: (
    rule: AlertLevelFacts,
    state: Pick<AlertStateFacts, 'value' | 'isBelow'>,
    since: string,
  ) =>
    `Its alert is firing: ${state.value === null ? '' : `${formatAlertValue(rule, state)}, `}low since ${since}.`,
  firingOnStaleData: (since: string, last: string) =>
    `Moisture has been low for its alert since ${since}, but its newest reading is from ${last}.`,
  firingOn: (probes: string) => `An alert is firing on ${probes}.${nextCall('list_alerts')}`,
  moreFiring: (count: number) =>
    `${count} more of its alerts ${englishNoun(count, 'is', 'are')} firing.${nextCall('list_alerts', 'module')}`,
  currentState: (state: string) => `It is ${state}.`,
  neverResolves: (alertKind: AlertKind, resolveAt: string, soilMax: string | null) =>
    `Once it fires it never resolves, because ${ALERT_KIND_WORDS[alertKind].noun} cannot reach ${resolveAt} ${ALERT_KINDS[alertKind].symbol}${soilMax === null ? '' : `: the soil holds at most ${soilMax} %`}.`,
  mayFlap: (hysteresis: string) =>
    `With a hysteresis of ${hysteresis} it may fire and recover again and again while readings vary around the threshold, with a message each time; 2 to 5 avoids that${nextCall('update_alert', 'hysteresis')}.`,
  sameExists: (threshold: string, count: number) =>
    `There ${count === 1 ? 'is already another alert' : `are already ${count} other alerts`} below ${threshold} % here, and each sends its own messages: ask whether one is to be disabled${nextCall('update_alert', 'isActive')}.`,
  /** The alert of a line stays at the wilting point. */
  belowStressPoint: (stressPoint: string, hasLine: boolean) =>
    `Plants there already begin to suffer at ${stressPoint} %: to be warned in time, ${hasLine ? `have another alert at that level or above${nextCall('create_alert')}` : `raise it to that level or above${nextCall('update_alert', 'threshold')}`}.`,
  lineInDoubt: (doubt: string, line: LineDoubt['line']) =>
    `${doubt}: ask whether that is meant, or digits were mistaken. Drawn again at the same height, it counts as confirmed.${nextCall('undo')} ${line === 'fieldCapacity' ? 'Until then no amount of water is advised.' : 'Until then each advice says so.'}`,
  lineMoves: (threshold: string) => `Its wilting-point line moves to ${threshold} % too.`,
  lineStays: 'The line that created it is no longer a wilting point, and stays as it is.',
  unsentMail: (count: number, wait: string | null, reason: string) =>
    `Not sent yet: ${englishCount(count, 'message')}${wait === null ? '' : `, ${count === 1 ? 'for' : 'the oldest for'} ${wait}`}${reason}.`,
  rejectedMail: (count: number, answer: string | null, storeOption: string, where: string) =>
    `Rejected by the mail server${answer === null ? '' : `, whose last answer was ${answer}`}: ${englishCount(count, 'message')}.${nextAction(`on ${where}, run "acequia doctor${storeOption}"`)}`,
  ownDisabled: 'Its alert is disabled.',
  olderDisabled: (height: string) => `The alert of the older line at ${height} % is disabled.`,
  ownEnabled: (height: string) => `Its alert is enabled at ${height} %.`,
  olderEnabled: (height: string) =>
    `The older wilting-point line at ${height} % counts again, and its alert is enabled.`,
  newerCounts: (height: string) => `A newer wilting-point line at ${height} % counts in its place.`,
  moved: (from: string, to: string, isActive: boolean) =>
    `${isActive ? 'Its alert' : 'Its alert, which is disabled,'} moves from ${from} to ${to} %.`,
  wouldHaveFired: (level: string, name: string, facts: BacktestFacts) =>
    facts.times === 0
      ? `${level} % on ${name} would never have fired.`
      : `${level} % on ${name} would have fired ${formatTimes(facts)}.`,
  lastEpisode: ({ isOnlyEpisode, start, end, zone, lowest }: LastEpisodeFacts) =>
    `${isOnlyEpisode ? 'It' : 'The last'} began ${start}${end === null ? ` (${zone}) and has not ended` : ` and ended ${end} (${zone})`}, lowest ${lowest} %.`,
  lastHours: (duration: string) => `for the last ${duration}`,
  firstHours: (until: string, duration: string) => `until ${until} (${duration})`,
  gap: (span: string, duration: string) => `from ${span} (${duration})`,
  gaps: (list: string, older: number) =>
    `Data are missing ${list}${older === 0 ? '' : `, and in ${englishCount(older, 'older gap')}`}.`,
  noneInForce: 'It has no active alert.',
  inForce: (threshold: string, facts: BacktestFacts) =>
    `The active alert at ${threshold} % ${facts.times === 0 ? 'never fired there' : `fired there ${formatTimes(facts)}`}.`,
  nothingToBacktest: 'It has no soil moisture sensor, so a threshold cannot be tested on it.',
  olderEpisodesOmitted: (omitted: number, all: number) =>
    `The oldest ${omitted} of ${all} episodes are omitted.${sameCallWith('start', 'end')}`,
};
