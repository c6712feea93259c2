import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Lang } from '../../../src/domain/lang.ts';
import { languageOf } from '../../../src/language/index.ts';
import { newBaseFarm } from '../../base-farm.ts';
import { englishWordIn } from '../../english-word-pattern.ts';
import { importReadingsCsv } from '../../imported-data.ts';
import { HOUR } from '../../time.ts';
import { bodyOf, connectStdio, firstText } from '../mcp-session.ts';
import { CLOCK, type Json, REPOSITORY } from '../program.ts';
import { type CallTool, callEveryTool, callWithReadings } from './every-tool-call.ts';

const NOW = Date.parse(CLOCK);

/** Moisture falls to 15.2 %; the deepest sensor is silent in the last hours. */
const READINGS = Array.from({ length: 96 }, (_, index) => index).flatMap((index) => {
  const time = new Date(NOW - (95 - index) * HOUR - 5 * 60_000).toISOString();
  const value = (24.7 - index * 0.1).toFixed(1);
  const north1 = [10, 20, 30].filter((depth) => depth < 30 || index < 90);
  return [
    ...north1.map((depth) => `North 1,humidity,${depth},${time},${value}`),
    `North 1,temperature,10,${time},${(18 + index / 40).toFixed(2)}`,
  ];
});

/** The same in every language, but for the secret in it. */
const ADDRESS = / https?:\/\/\S+/;

type NamedSummary = readonly [call: string, summary: string];

const catalog = JSON.parse(await readFile(join(REPOSITORY, 'dist', 'catalog.json'), 'utf8'));
const ajv = new Ajv({ strict: true, allowUnionTypes: true });
const outputChecks = new Map<string, ReturnType<Ajv['compile']>>(
  catalog.tools.flatMap(({ name, outputSchema }: Json) => (outputSchema ? [[name, ajv.compile(outputSchema)]] : [])),
);

function expectCompleteAnswer(name: string, result: CallToolResult): void {
  const check = outputChecks.get(name);
  if (check === undefined) {
    expect(result.content.map(({ type }) => type)).toEqual(['text', 'image']);
    return;
  }
  const body = bodyOf(result);
  const [summary, json] = result.content as { text: string }[];
  expect(result.content).toHaveLength(2);
  expect(JSON.parse(json!.text)).toEqual(body);
  expect(Object.keys(body)[0]).toBe('summary');
  expect(summary!.text).toBe(body.summary);
  expect(body.summary.trim().length).toBeGreaterThan(10);
  expect([name, check(body), check.errors ?? []]).toEqual([name, true, []]);
}

async function summariesIn(lang?: Lang): Promise<NamedSummary[]> {
  const db = await newBaseFarm();
  await importReadingsCsv(db, ['module,type,depth,time,value', ...READINGS].join('\n'), { clock: CLOCK });
  const { call, client } = await connectStdio(db, { lang });
  const summaries: NamedSummary[] = [];
  const ask: CallTool = async (name, args = {}) => {
    const result = await call(name, args);
    expectCompleteAnswer(name, result);
    summaries.push([`${name} ${JSON.stringify(args)}`, firstText(result).replace(ADDRESS, '')]);
    return bodyOf(result);
  };
  await callEveryTool(ask);
  await callWithReadings(ask);
  await client.close();
  return summaries;
}

const NEAR_DAYS: Record<Lang, string[]> = {
  en: ['yesterday', 'today', 'tomorrow'],
  fr: ['hier', 'aujourd’hui', 'demain'],
  es: ['ayer', 'hoy', 'mañana'],
};

function figures(summary: string, lang: Lang): string[] {
  const result: string[] = [];
  const collect = (pattern: RegExp, figure: (...parts: string[]) => string): void => {
    rest = rest.replace(pattern, (_, ...parts) => {
      result.push(figure(...parts));
      return ' ';
    });
  };
  const months = languageOf(lang).format.months(lang === 'en' ? 'short' : 'long');
  let rest = summary;
  collect(/\b(\d{4})-(\d\d)-(\d\d)\b/g, (year, month, day) => `day ${Number(day)}.${Number(month)} ${year}`);
  collect(
    new RegExp(`\\b(\\d+)(?:er| de)? (${months.join('|')})(?:(?: de)? (\\d{4}))?(?!\\p{L})`, 'gu'),
    (day, month, year) => `day ${day}.${months.indexOf(month!) + 1}${year ? ` ${year}` : ''}`,
  );
  collect(
    new RegExp(`(?<!\\p{L})(${NEAR_DAYS[lang].join('|')})(?!\\p{L})`, 'giu'),
    (near) => `day ${NEAR_DAYS[lang].indexOf(near!.toLowerCase())}`,
  );
  collect(lang === 'en' ? /(\d+(?:[:.]\d+)*)/g : /(\d+(?:[:,]\d+)*)/g, (number) => number!.replace(',', '.'));
  return [...new Set(result)].sort();
}

let english: NamedSummary[];
beforeAll(async () => {
  // The farm is in France.
  english = await summariesIn();
});

it('every tool of the catalog has been called', () => {
  const called = new Set(english.map(([call]) => call.split(' ')[0]));
  expect([...called].sort()).toEqual(catalog.tools.map(({ name }: Json) => name).sort());
});

describe.each(['fr', 'es'] as const)('summaries in %s', (lang) => {
  let translated: NamedSummary[];
  beforeAll(async () => {
    translated = await summariesIn(lang);
  });

  it('have no English word', () => {
    const englishWord = englishWordIn(lang);
    expect(translated.filter(([, summary]) => englishWord.test(summary))).toEqual([]);
  });

  it('differ from the English ones of the same calls', () => {
    const tool = ([call]: NamedSummary): string => call.split(' ')[0]!;
    expect(translated.map(tool)).toEqual(english.map(tool));
    expect(translated.filter(([, summary], index) => summary === english[index]![1])).toEqual([]);
  });

  it('have the same days, times and figures, with a decimal comma', () => {
    for (const [index, [call, summary]] of translated.entries()) {
      expect([call, summary, figures(summary, lang)]).toEqual([call, summary, figures(english[index]![1], 'en')]);
      expect([call, summary, /\d\.\d/.test(summary)]).toEqual([call, summary, false]);
    }
  });
});

it.each([
  [undefined, 'Drip'],
  ['fr', 'Goutte-à-goutte'],
  ['es', 'Goteo'],
] as const)('labels have the language %s, codes do not', async (lang, label) => {
  const { call } = await connectStdio(await newBaseFarm(), { lang });
  const { irrigation_systems } = bodyOf(await call('get_enums'));
  expect(irrigation_systems[0]).toEqual({ code: 'drip', label });
});
