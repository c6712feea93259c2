import { counted } from '../domain/english.ts';
import type { AlertWords, SaidRule, SaidState, SaidTimes } from './alert-words.ts';

const count = (amount: number, one: string): string => (amount === 0 ? `no ${one}s` : counted(amount, one));

/** "once, 3.5 h below it, no reminders", "at least 30 times, …" where more of them are left out. */
function sayTimes({ times, isCut, hoursBelow, reminders }: SaidTimes): string {
  const said = isCut ? `at least ${times} times` : times === 1 ? 'once' : `${times} times`;
  return `${said}, ${hoursBelow} h below it, ${count(reminders, 'reminder')}`;
}

const sayRule = ({ threshold, resolveAt, reminderTime, zone }: SaidRule): string =>
  `below ${threshold} % until ${resolveAt} %, with a reminder each day at ${reminderTime} (${zone})`;

const sayValue = (
  { threshold, resolveAt }: Pick<SaidRule, 'threshold' | 'resolveAt'>,
  { value, isBelow }: Pick<SaidState, 'value' | 'isBelow'>,
): string => (isBelow ? `${value} % is below ${threshold} %` : `${value} % is not yet ${resolveAt} %`);

const messages = (amount: number): string => `${counted(amount, 'message')} of theirs`;

function sayState(rule: SaidRule, state: SaidState): string {
  const { value, at, isStale, since } = state;
  const firing = since === null ? null : `firing since ${since}`;
  if (at === null) return 'quiet, without any moisture yet';
  if (isStale) return `stale: its newest moisture is of ${at}${firing === null ? '' : `, and it stays ${firing}`}`;
  if (value === null) return `${firing ?? 'quiet'}, with no value ${at}`;
  return firing === null ? `quiet: ${value} % ${at}` : `${firing}: ${sayValue(rule, state)}`;
}

export const englishAlerts: AlertWords = {
  noProbe: (parcel) => `no probe${parcel === null ? '' : ` (${parcel})`}`,
  state: sayState,
  neverEvaluated: 'never evaluated',
  disabled: 'disabled',
  created: (target, rule) => `The new alert on ${target} fires ${sayRule(rule)}.`,
  updated: (target, rule, isActive) =>
    `The alert on ${target} ${isActive ? 'now fires' : 'is disabled; enabled again it fires'} ${sayRule(rule)}.`,
  noneMatches: 'No alert matches.',
  row: (target, threshold, standing) => `${target} below ${threshold} %, ${standing}`,
  page: (rows, zone) => `Alerts (${zone}): ${rows.join('; ')}.`,
  firing: (rule, state, since) =>
    `Its alert is firing since ${since}${state.value === null ? '' : `: ${sayValue(rule, state)}`}.`,
  stillFiring: (since, last) => `Its alert counts as firing since ${since}, but the last it heard is of ${last}.`,
  moreFiring: (count) => `${count} more of its alerts ${count === 1 ? 'is' : 'are'} firing: see list_alerts.`,

  withoutProbe: 'Without a probe it is never evaluated: create another that names one in module.',
  withoutSoil: 'There is no soil moisture sensor on it, so it never fires: list_modules tells the soil probes.',
  told: (person) => `${person} is told by e-mail.`,
  standing: (state) => `It is ${state}.`,
  neverResolves: (resolveAt) => `Once it fires it never resolves, since no moisture reaches ${resolveAt} %.`,
  lineMoves: (threshold) => `Its wilting-point line moves to ${threshold} % too.`,
  lineStays: 'The line that it was born from is no wilting point any more, and stays as it is.',
  notSent: (amount) => `Not sent yet: ${messages(amount)}.`,
  refusedForGood: (amount, answer) =>
    `Refused for good by the mail server${answer === null ? '' : `, who last answered ${answer}`}: ${messages(amount)}.`,
  seeDoctor: 'The command "acequia doctor" says what to mend.',

  ownDisabled: 'Its alert is disabled.',
  olderDisabled: (height) => `The alert of the older line at ${height} % is disabled.`,
  ownArmed: (height) => `Its alert is armed at ${height} %.`,
  olderArmed: (height) => `The older wilting-point line at ${height} % counts again, and its alert is armed.`,
  newerCounts: (height) => `A newer wilting-point line at ${height} % counts in its place.`,
  moved: (from, to, isActive) =>
    `${isActive ? 'Its alert' : 'Its alert, which is disabled,'} moves from ${from} to ${to} %.`,

  tried: (level, name, times) =>
    times.times === 0
      ? `${level} % on ${name} would never have fired.`
      : `${level} % on ${name} would have fired ${sayTimes(times)}.`,
  lastEpisode: (isOnly, start, end, zone, lowest) =>
    `${isOnly ? 'It' : 'The last'} began ${start} and ${end === null ? 'is still open' : `ended ${end}`} (${zone}), lowest ${lowest} %.`,
  noneInForce: 'No alert of it is in force.',
  inForce: ({ threshold, hysteresis, reminderTime }, times) =>
    `The alert in force (${threshold} %, ${hysteresis} points, ${reminderTime}) ${times.times === 0 ? 'never fired there' : `fired there ${sayTimes(times)}`}.`,
  nothingToTry: 'It has no soil moisture sensor, so there is nothing to try a threshold on.',
  leftOut: (left, all) => `The oldest ${left} of ${all} episodes are left out: narrow start and end to see them.`,
};
