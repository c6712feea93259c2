import type { StoryResult } from '../../eval/conversation.ts';
import { patternOf, type TurnOutcome } from '../../eval/score.ts';
import type { FarmState } from '../../eval/state.ts';
import type { Solution, Story, ToolCall } from '../../eval/story.ts';

/** A play that a story must not accept; its name says in a failure which check is missing. */
interface Variation {
  readonly name: string;
  readonly outcomes: readonly TurnOutcome[];
}

const silent = (state: FarmState): TurnOutcome => ({
  reply: '',
  used: [],
  answers: [],
  hasWritten: false,
  state,
});

/** Outcomes that differ from a passing one in one thing. */
export function wrongOutcomes({ turns }: Story, { before, outcomes }: StoryResult): Variation[] {
  const replacing = (index: number, name: string, change: Partial<TurnOutcome>): Variation => ({
    name: `turn ${index + 1}: ${name}`,
    outcomes: outcomes.map((outcome, nth) => (nth === index ? { ...outcome, ...change } : outcome)),
  });
  return [
    { name: 'nothing done and nothing said', outcomes: turns.map(() => silent(before)) },
    ...turns.flatMap((turn, index) => {
      const { reply, state } = outcomes[index]!;
      const without = (what: string | number): string =>
        reply.replace(new RegExp(patternOf(what), 'giu'), '');
      return [
        replacing(index, 'a row too many', {
          state: { ...state, 'watering elsewhere': { status: 'done' } },
        }),
        ...wrongRows(turn.store, state).map(([name, wrong]) =>
          replacing(index, name, { state: wrong }),
        ),
        ...(turn.asks === undefined
          ? []
          : [replacing(index, 'nothing asked', { reply: reply.replaceAll('?', '.') })]),
        ...turn.says.map((what) => replacing(index, `without ${what}`, { reply: without(what) })),
        ...turn.avoids.map((what) =>
          replacing(index, `with ${what}`, { reply: `${reply} ${what}` }),
        ),
        ...turn.uses.map((what) => replacing(index, `without ${what}`, { used: [] })),
        replacing(index, 'with a figure that nothing bears out', {
          reply: `${reply}. 98765.4 mm`,
        }),
        ...unwrittenClaims(outcomes[index]!, outcomes[index - 1]?.state ?? before).map((claim) =>
          replacing(index, `with "${claim}"`, { reply: `${reply}\n${claim}` }),
        ),
      ];
    }),
  ];
}

/** Claims of a write, for a turn in which nothing was written. */
const unwrittenClaims = ({ state, hasWritten }: TurnOutcome, before: FarmState): string[] =>
  hasWritten || JSON.stringify(state) !== JSON.stringify(before)
    ? []
    : ['I have logged it.', "C'est noté.", 'Lo he registrado.'];

const wrongRows = (
  expected: Story['turns'][number]['store'],
  state: FarmState,
): [string, FarmState][] =>
  Object.entries(expected).flatMap(([key, row]): [string, FarmState][] => {
    if (row === null) return [[`${key} is still there`, { ...state, [key]: {} }]];
    const { [key]: found, ...others } = state;
    return [
      [`${key} is missing`, others],
      ...Object.keys(row).map((field): [string, FarmState] => [
        `${key} has another ${field}`,
        { ...others, [key]: { ...found, [field]: 'something else' } },
      ]),
    ];
  });

/** Arguments whose values the person leaves open, and those that go with an amount. */
const OPEN = [
  'inputMode',
  'eventId',
  'note',
  'notes',
  'label',
  'timezone',
  'startsOn',
  'idempotencyKey',
  'dryRun',
  'alertId',
  'scheduleId',
  'versionId',
  'annotationId',
  'changeId',
];

/** A story as far as the turn in which its solution goes wrong. */
export interface WrongPlay {
  readonly story: Story;
  readonly solutions: readonly Solution[];
}

export const wrongTurn = (story: Story, turn: number, wrong: Solution): WrongPlay => ({
  story: { ...story, turns: story.turns.slice(0, turn + 1) },
  solutions: story.turns.map(({ solution }) => solution).with(turn, wrong),
});

/** The solution of the story with one argument of one of its writes changed. */
export function wrongSolutions(
  story: Story,
  { exchanges }: StoryResult,
  modules: readonly string[],
): WrongPlay[] {
  // The call is made twice there, and the first time decides.
  if (story.losesAnswer) return [];
  const calls = story.turns.flatMap(({ solution }, turn) =>
    solution.flatMap((call, step) =>
      typeof call === 'string' ? [] : [{ turn, solution, step, call }],
    ),
  );
  return calls.flatMap(({ turn, solution, step, call }, nth) =>
    exchanges[nth]?.answer.isWrite
      ? changedCalls(call, modules).map((wrong) =>
          wrongTurn(story, turn, solution.with(step, wrong)),
        )
      : [],
  );
}

const changedCalls = ({ name, args }: ToolCall, modules: readonly string[]): ToolCall[] =>
  Object.keys(args)
    .filter((argument) => !OPEN.includes(argument))
    .map((argument) => ({ name, args: { ...args, [argument]: changed(args[argument], modules) } }));

function changed(value: unknown, modules: readonly string[]): unknown {
  if (typeof value === 'number') return value * 2;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value))
    return value.length > 1 ? value.slice(1) : value.map((each) => changed(each, modules));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([field, each]) => [field, changed(each, modules)]),
    );
  const text = String(value);
  const module = modules.indexOf(text);
  if (module >= 0) return modules[(module + 1) % modules.length];
  const hour = /^\d{4}-\d\d-\d\dT/.test(text) ? /(?<=T)\d\d/ : /\d+/;
  const other = text.replace(hour, (digits) =>
    String((Number(digits) + 1) % 24).padStart(digits.length, '0'),
  );
  return other === text ? 'other' : other;
}
