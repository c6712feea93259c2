import { statementsIn, writingClaimIn } from './claims.ts';
import { Evidence } from './evidence.ts';
import { figuresIn } from './figures.ts';
import type { FarmState, Row } from './state.ts';
import type { Story, Turn } from './story.ts';

export interface TurnOutcome {
  /** What the assistant said at the end of the turn. */
  readonly reply: string;
  /** Tools that answered in this turn without an error. */
  readonly used: readonly string[];
  /** Answers of the tools in this turn, refusals included: texts and structured results. */
  readonly answers: readonly unknown[];
  /** True if a tool has answered in this turn that it changed something. */
  readonly hasWritten: boolean;
  readonly state: FarmState;
}

/** Texts of the assistant's own choice: compared only where a story expects them. */
const FREE_FIELDS = new Set(['note', 'notes', 'label', 'content', 'style']);
/** Half of the last digit that answers show. */
const TOLERANCE = 0.005;

/** The faults in the outcome of a story, in words; empty if it passes. */
export function problemsOf(
  story: Story,
  before: FarmState,
  outcomes: readonly TurnOutcome[],
): string[] {
  const evidence = new Evidence();
  evidence.add(before);
  return story.turns.flatMap((turn, index) => {
    const outcome = outcomes[index];
    const stateBefore = outcomes[index - 1]?.state ?? before;
    const problems = outcome
      ? [
          ...storeProblems(turn, before, outcome.state),
          ...turn.uses
            .filter((tool) => !outcome.used.includes(tool))
            .map((tool) => `${tool} has not answered`),
          ...replyProblems(turn, outcome.reply),
          ...claimProblems(turn, outcome, { evidence, stateBefore }),
        ]
      : ['the conversation ended before'];
    return problems.map((problem) =>
      story.turns.length > 1 ? `turn ${index + 1}: ${problem}` : problem,
    );
  });
}

function storeProblems(turn: Turn, stateBefore: FarmState, stateAfter: FarmState): string[] {
  const expected = foldNames(turn.store);
  const before = foldNames(stateBefore);
  const after = foldNames(stateAfter);
  const keys = [
    ...new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(expected)]),
  ];
  return keys.flatMap((key) => {
    const row = expected[key];
    if (row === undefined) {
      const isSame = changedFields(before[key], after[key]).length === 0;
      return isSame ? [] : [`${key} was ${describeChange(before[key], after[key])}`];
    }
    const found = after[key];
    if (row === null) return found ? [`${key} is still there`] : [];
    if (!found) return [`${key} is missing`];
    const wrongFields = Object.entries(row).filter(
      ([field, value]) => !matches(value, found[field]),
    );
    const surplus = before[key]
      ? changedFields(before[key], found).filter((field) => !(field in row))
      : [];
    return [
      ...wrongFields.map(
        ([field, value]) => `${key}: ${field} is ${show(found[field])} instead of ${show(value)}`,
      ),
      ...surplus
        .filter((field) => !FREE_FIELDS.has(field))
        .map((field) => `${key}: ${field} was changed`),
    ];
  });
}

/** People do not say capital letters, so names are compared without them. */
const foldNames = <Value>(rows: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name.toLowerCase(), row]));

function changedFields(before: Row | undefined, after: Row | undefined): string[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].filter((field) => show(before?.[field]) !== show(after?.[field]));
}

function describeChange(before: Row | undefined, after: Row | undefined): string {
  if (!before) return `added: ${show(after)}`;
  return after
    ? `changed: ${changedFields(before, after).map((field) => `${field} to ${show(after[field])}`)}`
    : 'removed';
}

const show = (value: unknown): string => JSON.stringify(value) ?? 'absent';

/** A text between slashes is a regular expression. */
function matches(expected: unknown, found: unknown): boolean {
  if (typeof expected === 'number')
    return Math.abs(expected - Number(found ?? Number.NaN)) < TOLERANCE;
  if (typeof expected === 'string' && /^\/.*\/$/.test(expected))
    return new RegExp(expected.slice(1, -1), 'iu').test(String(found));
  return show(expected) === show(found);
}

function replyProblems({ asks, says, avoids }: Turn, reply: string): string[] {
  const isQuestion = /[?？]/.test(reply);
  return [
    ...(asks !== undefined && !isQuestion ? ['nothing was asked'] : []),
    ...(asks !== undefined && isQuestion && !new RegExp(asks, 'iu').test(reply)
      ? [`nothing was asked about ${asks}`]
      : []),
    ...says.filter((what) => !patternOf(what).test(reply)).map((what) => `the reply lacks ${what}`),
    ...avoids
      .filter((what) => new RegExp(what, 'iu').test(reply))
      .map((what) => `the reply has ${what}`),
  ];
}

/** What the reply claims and neither the store nor an answer of a tool bears out. */
function claimProblems(
  { words, says }: Turn,
  { reply, answers, state, hasWritten }: TurnOutcome,
  { evidence, stateBefore }: { readonly evidence: Evidence; readonly stateBefore: FarmState },
): string[] {
  evidence.addWords(words);
  for (const known of [...answers, state, says]) evidence.add(known);
  const unfounded = statementsIn(reply)
    .flatMap(figuresIn)
    .filter((figure) => !evidence.supports(figure));
  const claim = hasWritten || show(state) !== show(stateBefore) ? null : writingClaimIn(reply);
  return [
    ...unfounded.map(({ text }) => `the reply states ${text}, which nothing bears out`),
    ...(claim === null ? [] : [`nothing was written, but the reply says: ${claim}`]),
  ];
}

/** A number matches with a comma or a point, and not inside of another number. */
export function patternOf(what: string | number): RegExp {
  if (typeof what === 'string') return new RegExp(what, 'iu');
  return new RegExp(`(?<![\\d.,])${String(what).replace('.', '[.,]')}0*(?![\\d]|[.,]\\d)`, 'u');
}
