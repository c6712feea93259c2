import { beforeAll, describe, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { languageOf } from '../../src/language/index.ts';
import { isWrite } from '../../src/operation/operation-kind.ts';
import { tools, toolsByName } from '../../tools/index.ts';
import { baseFarmForFile } from '../base-farm.ts';
import { englishWordIn } from '../english-word-pattern.ts';
import { importReadingsCsv } from '../imported-data.ts';
import { withSecondStore } from '../stores/stores.ts';
import { HOUR, iso } from '../time.ts';
import { bodyOf, firstText } from '../tool-results.ts';
import { type AskTool, callEveryTool, callWithReadings } from './every-tool-call.ts';
import { type CallTool, NOW, toolsOf } from './local-tools.ts';

/** Moisture falls to 15.2 %; the deepest sensor is silent in the last hours. */
const READINGS = Array.from({ length: 96 }, (_, index) => index).flatMap((index) => {
  const time = iso(NOW - (95 - index) * HOUR - 5 * 60_000);
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

const summaries: Record<Lang, NamedSummary[]> = { en: [], fr: [], es: [] };

beforeAll(async () => {
  const db = await baseFarmForFile();
  await importReadingsCsv(db, ['module,type,depth,time,value', ...READINGS].join('\n'), {
    clock: iso(NOW),
  });
  await withSecondStore(db, async (store) => {
    const callIn = Object.fromEntries(
      LANGS.map((lang) => [lang, toolsOf(store, { lang })]),
    ) as Record<Lang, CallTool>;
    /** A write is done in English; by its key, the other languages word the same answer. */
    const ask: AskTool = async (name, args = {}) => {
      const idempotencyKey = `${summaries.en.length}`;
      const sent = isWrite(toolsByName.get(name)!) ? { ...args, idempotencyKey } : args;
      let body: Awaited<ReturnType<AskTool>>;
      for (const lang of LANGS) {
        const result = await callIn[lang](name, sent);
        summaries[lang].push([
          `${name} ${JSON.stringify(args)}`,
          firstText(result).replace(ADDRESS, ''),
        ]);
        body ??= bodyOf(result);
      }
      return body;
    };
    await callEveryTool(ask);
    await callWithReadings(ask);
  });
});

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
  collect(
    /\b(\d{4})-(\d\d)-(\d\d)\b/g,
    (year, month, day) => `day ${Number(day)}.${Number(month)} ${year}`,
  );
  collect(
    new RegExp(`\\b(\\d+)(?:er| de)? (${months.join('|')})(?:(?: de)? (\\d{4}))?(?!\\p{L})`, 'gu'),
    (day, month, year) => `day ${day}.${months.indexOf(month!) + 1}${year ? ` ${year}` : ''}`,
  );
  collect(
    new RegExp(`(?<!\\p{L})(${NEAR_DAYS[lang].join('|')})(?!\\p{L})`, 'giu'),
    (near) => `day ${NEAR_DAYS[lang].indexOf(near!.toLowerCase())}`,
  );
  collect(lang === 'en' ? /(\d+(?:[:.]\d+)*)/g : /(\d+(?:[:,]\d+)*)/g, (number) =>
    number!.replace(',', '.'),
  );
  return [...new Set(result)].sort();
}

it('every tool has been called', () => {
  const called = new Set(summaries.en.map(([call]) => call.split(' ')[0]));
  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
});

describe.each(['fr', 'es'] as const)('summaries in %s', (lang) => {
  const { en: english, [lang]: translated } = summaries;

  it('have no English word', () => {
    const englishWord = englishWordIn(lang);
    expect(translated.filter(([, summary]) => englishWord.test(summary))).toEqual([]);
  });

  it('differ from the English ones of the same calls', () => {
    expect(translated.filter(([, summary], index) => summary === english[index]![1])).toEqual([]);
  });

  it('have the same days, times and figures, with a decimal comma', () => {
    for (const [index, [call, summary]] of translated.entries()) {
      expect([call, summary, figures(summary, lang)]).toEqual([
        call,
        summary,
        figures(english[index]![1], 'en'),
      ]);
      expect([call, summary, /\d\.\d/.test(summary)]).toEqual([call, summary, false]);
    }
  });
});
