import type * as Plan from './attackers/plan.ts';
import type { Measurement } from './measurement.ts';
import type { LoggedWatering } from './watering-assistant.ts';

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const longest = (values: readonly number[]): number => Math.max(...values);

export interface AttackResult {
  readonly title: string;
  readonly idle: Measurement;
  readonly attacked: Measurement;
  readonly attackers: Plan.AttackReport;
  readonly logged: readonly LoggedWatering[];
  readonly stored: readonly LoggedWatering[];
  readonly peakMemoryMb: number | null;
}

/** Answered, but not stored. */
export const lostWaterings = ({ logged, stored }: AttackResult): readonly LoggedWatering[] =>
  logged.filter(({ id, note }) => !stored.some((row) => row.id === id && row.note === note));

/** Notes that are stored more than once. */
export const repeatedNotes = ({ stored }: AttackResult): readonly string[] =>
  stored.flatMap(({ note }, n) => (stored.findIndex((row) => row.note === note) < n ? note : []));

/** A table in Markdown: what others experienced, idle and attacked, and what the attackers got. */
export function reportTable(result: AttackResult): string {
  const { title, idle, attacked, attackers, peakMemoryMb } = result;
  const rows = [
    ['', 'idle', 'attacked'],
    ['---', '---', '---'],
    ['seconds', idle.seconds.toFixed(0), attacked.seconds.toFixed(0)],
    ['waterings answered', String(idle.wateringMs.length), String(attacked.wateringMs.length)],
    ['lost, twice', '', `${lostWaterings(result).length}, ${repeatedNotes(result).length}`],
    ['a watering took', durations(idle.wateringMs), durations(attacked.wateringMs)],
    ['/health answered', String(idle.healthMs.length), String(attacked.healthMs.length)],
    ['/health took', durations(idle.healthMs), durations(attacked.healthMs)],
    ['longest stretch of the event loop', ms(idle.longestStretchMs), ms(attacked.longestStretchMs)],
    ['memory at most', '', peakMemoryMb === null ? '–' : `${peakMemoryMb.toFixed(0)} MB`],
    ['failures', String(idle.failures.length), String(attacked.failures.length)],
    ...attackerRows(attackers),
  ];
  return [title, ...rows.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

const ms = (value: number): string => `${value.toFixed(0)} ms`;

function durations(values: readonly number[]): string {
  const [median, p99] = [percentile(values, 0.5), percentile(values, 0.99)];
  return `p50 ${ms(median)}, p99 ${ms(p99)}, at most ${ms(longest(values))}`;
}

/** Returns a row for each attacker that the mix had. */
function attackerRows(report: Plan.AttackReport): string[][] {
  const { viewers, assistants, pageStreams, listenStreams, uploads, schedule } = report;
  const rows: [name: string, text: string][] = [
    ...numbered('viewer', viewers.map(viewerText)),
    ...numbered('assistant', assistants.map(outcomesText)),
    ...numbered('upload of 10 MB', uploads.map(outcomesText)),
    ['streams of the page', streamsText(pageStreams)],
    ['streams that listen', streamsText(listenStreams)],
    ['schedule', schedule === null ? '' : scheduleText(schedule)],
  ];
  return rows.filter(([, text]) => text !== '').map(([name, text]) => [name, '', text]);
}

const numbered = (name: string, texts: readonly string[]): [string, string][] =>
  texts.map((text, index) => [`${name} ${index}`, text || 'no answer']);

/** How often each read was answered, and all other outcomes together. */
function viewerText(reads: Readonly<Record<string, Plan.OutcomeCounts>>): string {
  const answers = Object.entries(reads).map(([read, counts]) => `${read} ${counts['200'] ?? 0}`);
  const others: Record<string, number> = {};
  for (const { '200': _, ...counts } of Object.values(reads))
    for (const [outcome, count] of Object.entries(counts)) {
      others[outcome] = (others[outcome] ?? 0) + count;
    }

  return [answers.join(', '), outcomesText(others)].filter((text) => text !== '').join('; ');
}

const outcomesText = (counts: Plan.OutcomeCounts): string =>
  Object.entries(counts)
    .map(([outcome, count]) => `${count} x ${outcome}`)
    .join(', ');

function streamsText({ opened, events, ended, refused }: Plan.StreamReport): string {
  const refusals = outcomesText(refused);
  if (opened === 0) return refusals;
  const text = `${opened} opened, ${events} events, ${ended} ended`;
  return refusals === '' ? text : `${text}; ${refusals}`;
}

function scheduleText({ outcomes, createdInMs, undoneInMs, removed }: Plan.ScheduleReport): string {
  const times = `created in ${seconds(createdInMs)}, undone in ${seconds(undoneInMs)}`;
  return `${removed} waterings ${times}; ${outcomesText(outcomes)}`;
}

function seconds(value: number | null): string {
  return value === null ? 'more time' : `${(value / 1_000).toFixed(1)} s`;
}
