import { englishCount } from '../domain/english.ts';
import type { AlertPhrases, AlertRuleFacts, AlertStateFacts, BacktestFacts } from './alert-words.ts';

const formatCount = (amount: number, one: string): string => (amount === 0 ? `no ${one}s` : englishCount(amount, one));

/** "once, 3.5 h below it, no reminders", "at least 30 times, …" where more of them are left out. */
function formatTimes({ times, isCut, hoursBelow, reminders }: BacktestFacts): string {
  const often = isCut ? `at least ${times} times` : times === 1 ? 'once' : `${times} times`;
  return `${often}, ${hoursBelow} h below it, ${formatCount(reminders, 'reminder')}`;
}

const formatRule = ({ threshold, resolveAt, reminderTime, zone }: AlertRuleFacts): string =>
  `below ${threshold} % until ${resolveAt} %, with a reminder each day at ${reminderTime} (${zone})`;

const formatAlertValue = (
  { threshold, resolveAt }: Pick<AlertRuleFacts, 'threshold' | 'resolveAt'>,
  { value, isBelow }: Pick<AlertStateFacts, 'value' | 'isBelow'>,
): string => (isBelow ? `${value} % is below ${threshold} %` : `${value} % is not yet ${resolveAt} %`);

const formatMessages = (amount: number): string => `${englishCount(amount, 'message')} of theirs`;

function formatState(rule: AlertRuleFacts, state: AlertStateFacts): string {
  const { value, at, isStale, since } = state;
  const firing = since === null ? null : `firing since ${since}`;
  if (at === null) return 'quiet, without any moisture yet';
  if (isStale) return `stale: its newest moisture is of ${at}${firing === null ? '' : `, and it stays ${firing}`}`;
  if (value === null) return `${firing ?? 'quiet'}, with no value ${at}`;
  return firing === null ? `quiet: ${value} % ${at}` : `${firing}: ${formatAlertValue(rule, state)}`;
}

export const englishAlertPhrases: AlertPhrases = {
  noProbe: (parcel) => `no probe${parcel === null ? '' : ` (${parcel})`}`,
  state: formatState,
  neverEvaluated: 'never evaluated',
  disabled: 'disabled',
  created: (target, rule) => `The new alert on ${target} fires ${formatRule(rule)}.`,
  updated: (target, rule, isActive) =>
    `The alert on ${target} ${isActive ? 'now fires' : 'is disabled; enabled again it fires'} ${formatRule(rule)}.`,
  noneMatches: 'No alert matches.',
  row: (target, threshold, standing) => `${target} below ${threshold} %, ${standing}`,
  page: (rows, zone) => `Alerts (${zone}): ${rows.join('; ')}.`,
  firing: (rule, state, since) =>
    `Its alert is firing since ${since}${state.value === null ? '' : `: ${formatAlertValue(rule, state)}`}.`,
  firingOnStaleData: (since, last) => `Its alert counts as firing since ${since}, but the last it heard is of ${last}.`,
  moreFiring: (count) => `${count} more of its alerts ${count === 1 ? 'is' : 'are'} firing: see list_alerts.`,

  withoutProbe: 'Without a probe it is never evaluated: create another that names one in module.',
  noSoilMoisture: 'There is no soil moisture sensor on it, so it never fires: list_modules tells the soil probes.',
  notifies: (person) => `${person} is told by e-mail.`,
  standing: (state) => `It is ${state}.`,
  neverResolves: (resolveAt) => `Once it fires it never resolves, since no moisture reaches ${resolveAt} %.`,
  lineMoves: (threshold) => `Its wilting-point line moves to ${threshold} % too.`,
  lineStays: 'The line that it was born from is no wilting point any more, and stays as it is.',
  unsentMail: (amount) => `Not sent yet: ${formatMessages(amount)}.`,
  rejectedMail: (amount, answer) =>
    `Refused for good by the mail server${answer === null ? '' : `, who last answered ${answer}`}: ${formatMessages(amount)}.`,
  seeDoctor: 'The command "acequia doctor" says what to mend.',

  ownDisabled: 'Its alert is disabled.',
  olderDisabled: (height) => `The alert of the older line at ${height} % is disabled.`,
  ownArmed: (height) => `Its alert is armed at ${height} %.`,
  olderArmed: (height) => `The older wilting-point line at ${height} % counts again, and its alert is armed.`,
  newerCounts: (height) => `A newer wilting-point line at ${height} % counts in its place.`,
  moved: (from, to, isActive) =>
    `${isActive ? 'Its alert' : 'Its alert, which is disabled,'} moves from ${from} to ${to} %.`,

  wouldHaveFired: (level, name, times) =>
    times.times === 0
      ? `${level} % on ${name} would never have fired.`
      : `${level} % on ${name} would have fired ${formatTimes(times)}.`,
  lastEpisode: (isOnly, start, end, zone, lowest) =>
    `${isOnly ? 'It' : 'The last'} began ${start} and ${end === null ? 'is still open' : `ended ${end}`} (${zone}), lowest ${lowest} %.`,
  noneInForce: 'No alert of it is in force.',
  inForce: ({ threshold, hysteresis, reminderTime }, times) =>
    `The alert in force (${threshold} %, ${hysteresis} points, ${reminderTime}) ${times.times === 0 ? 'never fired there' : `fired there ${formatTimes(times)}`}.`,
  nothingToBacktest: 'It has no soil moisture sensor, so there is nothing to try a threshold on.',
  olderEpisodesOmitted: (left, all) =>
    `The oldest ${left} of ${all} episodes are left out: narrow start and end to see them.`,
};
