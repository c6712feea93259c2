import { createHash } from 'node:crypto';
import type { Lang } from '../../../../src/domain/lang.ts';
import { DAY, iso } from '../../../time.ts';
import type { CommandOptions, Json } from '../../program.ts';
import { type CallTool, type ToolResult, withTools } from './farm-program.ts';
import type { RandomFarm } from './farms/random-farm.ts';

/** The key is the operation with its probe and arguments. */
export type FarmAnswers = Readonly<Record<string, RecordedAnswer>>;

export interface RecordedAnswer {
  readonly text: string;
  readonly body?: Json;
  /** A hash of the picture. */
  readonly picture?: string;
  readonly code?: string;
}

interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

function questionsOf({ now, probes }: RandomFarm): Question[] {
  const at = Date.parse(now);
  const daysAgo = (days: number): string => iso(at - days * DAY);
  const aboutProbes = probes.flatMap(({ id }): Question[] => {
    const ask = (tool: string, args: object = {}): Question => ({
      tool,
      args: { module: `#${id}`, ...args },
    });
    return [
      ask('get_agronomic_state'),
      ask('advise_watering'),
      ask('advise_watering', { expectedRainMm: 6.5, demandPercent: 130 }),
      ask('advise_watering', { refillPercent: 65 }),
      ask('review_waterings', { limit: 100 }),
      ask('review_waterings', { start: daysAgo(60), limit: 100 }),
      ask('review_waterings', { start: daysAgo(30), end: daysAgo(6) }),
      ask('suggest_thresholds'),
      ask('get_moisture_series'),
      ask('get_moisture_series', { start: daysAgo(40), depths: true }),
      ask('show_moisture', { start: daysAgo(20) }),
      id % 2 === 0
        ? ask('chart_moisture')
        : ask('chart_moisture', { start: daysAgo(40), end: daysAgo(2), view: 'depths' }),
    ];
  });
  return [
    ...aboutProbes,
    ...FARM_QUESTIONS,
    { tool: 'get_farm_page', args: { moduleIds: `1,${probes.length}` } },
  ];
}

const FARM_QUESTIONS: readonly Question[] = [
  { tool: 'morning_brief', args: {} },
  { tool: 'farm_overview', args: {} },
  { tool: 'farm_overview', args: { limit: 2 } },
  { tool: 'get_farm_page', args: {} },
];

/** These questions are asked in other languages too. */
const QUESTIONS_OF_OTHERS: readonly Question[] = [
  { tool: 'morning_brief', args: {} },
  { tool: 'farm_overview', args: {} },
];

/** `source` says where the answers come from, as options of the program. */
export async function askFarm(
  farm: RandomFarm,
  source: readonly string[],
  options: CommandOptions = {},
): Promise<FarmAnswers> {
  const ask = (lang: Lang, questions: readonly Question[], suffix: string) =>
    withTools(farm.now, [...source, '--lang', lang], options, async (call) => {
      const answers: [string, RecordedAnswer][] = [];
      for (const { tool, args } of questions) {
        const name = `${tool} ${JSON.stringify(args)}${suffix}`;
        const result = await call(tool, args);
        answers.push([name, toRecorded(result)]);
        const cursor = result.body?.next_cursor;
        if (cursor) answers.push([`${name}, next page`, await nextPage(call, tool, args, cursor)]);
      }
      return answers;
    });

  const answers = await ask(farm.lang, questionsOf(farm), '');
  for (const lang of farm.otherLangs)
    answers.push(...(await ask(lang, QUESTIONS_OF_OTHERS, ` in ${lang}`)));
  return Object.fromEntries(answers);
}

const nextPage = async (
  call: CallTool,
  tool: string,
  args: object,
  cursor: string,
): Promise<RecordedAnswer> => toRecorded(await call(tool, { ...args, cursor }));

const STORE_OPTION = /--db \S+/g;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Drops random and opaque values, and the summary, which is the text. */
function toRecorded({ text: spoken, body, picture, refusal }: ToolResult): RecordedAnswer {
  const text = spoken.replace(STORE_OPTION, '--db (store)');
  if (refusal) return { text, code: refusal.code };
  if (picture !== undefined)
    return { text, picture: createHash('sha256').update(picture).digest('hex').slice(0, 16) };
  const { summary: _, ...fields } = body;
  const comparable = JSON.parse(JSON.stringify(fields), (name, value) => {
    if (name === 'next_cursor' && value !== null) return '(cursor)';
    if (typeof value !== 'string') return value;
    return UUID.test(value) ? '(id)' : value.replace(STORE_OPTION, '--db (store)');
  });
  return { text, body: comparable };
}
