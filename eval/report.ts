import type { StoryResult } from './conversation.ts';
import type { Story } from './story.ts';

export interface Attempt extends StoryResult {
  readonly story: Story;
}

interface Report {
  readonly attempts: readonly Attempt[];
  readonly runs: number;
  /** Names of the daily tools. */
  readonly daily: ReadonlySet<string>;
}

export function reportOf({ attempts, daily, runs }: Report): string {
  const themes = [...new Set(attempts.map(({ story }) => story.theme))];
  const rows = [
    ...themes.map(
      (theme) => [theme, attempts.filter(({ story }) => story.theme === theme)] as const,
    ),
    ['all', attempts] as const,
  ];
  const lines = rows.map(([theme, group]) => row(theme, group, runs));
  const stories = [...new Set(attempts.map(({ story }) => story))];
  const beyond = stories.filter((story) => toolsBeyond(story, daily).length > 0);
  return [
    ...heading(['theme', 'stories', 'pass@1', `pass^${runs}`, 'calls', tokenTitle(attempts)]),
    ...lines,
    '',
    `The recorded solutions of ${beyond.length} of ${stories.length} stories need tools outside of the daily toolset:`,
    ...beyond.map(
      (story) => `- ${story.theme}/${story.id}: ${toolsBeyond(story, daily).join(', ')}`,
    ),
    '',
  ].join('\n');
}

export const toolsBeyond = ({ turns }: Story, daily: ReadonlySet<string>): string[] => [
  ...new Set(
    turns
      .flatMap(({ solution }) => solution)
      .flatMap((step) => (typeof step === 'string' || daily.has(step.name) ? [] : [step.name])),
  ),
];

const heading = (titles: readonly string[]): string[] => [
  tableRow(titles),
  tableRow(titles.map(() => '---')),
];

const tableRow = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const tokenTitle = (attempts: readonly Attempt[]): string =>
  attempts.some(({ isEstimate }) => isEstimate) ? 'tokens (estimated)' : 'tokens';

function row(theme: string, attempts: readonly Attempt[], runs: number): string {
  const stories = [...new Set(attempts.map(({ story }) => story))];
  const passed = (all: readonly Attempt[]): number =>
    all.filter(({ problems }) => problems.length === 0).length;
  const always = stories.filter(
    (each) => passed(attempts.filter(({ story }) => story === each)) === runs,
  ).length;
  const perAttempt = (amount: (attempt: Attempt) => number): number =>
    attempts.reduce((sum, attempt) => sum + amount(attempt), 0) / attempts.length;
  return tableRow([
    ...[
      theme,
      stories.length,
      percent(passed(attempts) / attempts.length),
      percent(always / stories.length),
    ],
    perAttempt(({ exchanges }) => exchanges.length).toFixed(2),
    Math.round(perAttempt(({ usage }) => usage.input + usage.output)),
  ]);
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
