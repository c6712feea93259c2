import type { AnnotationShape, ChartType, ThresholdFill } from '../../domain/alerts/annotation.ts';
import type {
  AlertPhrases,
  AlertRuleFacts,
  AlertStateFacts,
  AnnotationPhrases,
  BacktestFacts,
  HeightUnitCode,
} from '../alerts/phrases.ts';
import { englishCount } from './grammar.ts';

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

const CURVES: Record<ChartType, string> = {
  humidity: 'moisture curve',
  'humidity-detail': 'moisture curves by depth',
  'humidity-heatmap': 'moisture heatmap',
  temperature: 'temperature curve',
  tensio: 'tension curve',
};

const UNITS: Record<NonNullable<HeightUnitCode>, string> = {
  vwc: ' % (vwc)',
  vwc_max: ' % of saturation',
  mm: ' mm',
  temperature: ' deg C',
  tensio: ' kPa',
};

const SHAPES: Record<AnnotationShape, string> = {
  'h-line': 'a horizontal line',
  'v-line': 'a vertical line',
  segment: 'a segment',
  ray: 'a ray',
  infinite: 'an infinite line',
  arrow: 'an arrow',
  'h-free': 'a free horizontal line',
  rect: 'a rectangle',
  text: 'a text',
  line: 'a line',
};

const THRESHOLDS: Record<ThresholdFill, string> = {
  threshold1: 'the field capacity',
  threshold2: 'the wilting point',
};

const formatCurve = (chart: ChartType, name: string): string => `the ${CURVES[chart]} of ${name}`;

export const englishAnnotationPhrases: AnnotationPhrases = {
  drawing: ({ shape, threshold, counts, height, unit, when }) => {
    const at = `at ${height}${unit === null ? '' : UNITS[unit]}`;
    if (threshold)
      return `${THRESHOLDS[threshold]} as a line ${at}${counts ? '' : ' (which counts on the humidity curve only)'}`;
    return shape === 'h-line' || shape === 'h-free' ? `${SHAPES[shape]} ${at}` : `${SHAPES[shape]}, ${when}`;
  },
  created: (chart, name, drawing) => `Drawn on ${formatCurve(chart, name)}: ${drawing}.`,
  updated: (chart, name, drawing) => `On ${formatCurve(chart, name)} this drawing is now ${drawing}.`,
  deleted: 'The drawing is deleted.',
  nothingDrawn: (chart, name) => `Nothing is drawn on ${formatCurve(chart, name)}.`,
  list: (chart, name, count, counting) =>
    `${englishCount(count, 'drawing')} on ${formatCurve(chart, name)}${counting.length === 0 ? '' : `, among them ${counting.join(' and ')}`}.`,
  olderOmitted: (count) => `Older ones left out: ${count}; ask for more with limit.`,
  noSoilMoisture: 'This module measures no soil moisture, so the line says nothing of any soil: was another one meant?',
  contentPartRemoved: (part) =>
    `Its ${part} is gone, because content is written anew: send style and text together to keep both.`,
};
