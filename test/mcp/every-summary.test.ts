import { beforeAll, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { isWrite } from '../../src/operation/operation-kind.ts';
import { tools, toolsByName } from '../../tools/index.ts';
import { baseFarmForFile } from '../base-farm.ts';
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

/** Contains a secret of its own in each session. */
const ADDRESS = / https?:\/\/\S+/;
/** What a replay says before the first answer. */
const REPLAY = /^Already (?:done|logged) .*? The first answer: /;

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
    /** A write is done once; by its key, the sessions in other languages get the same answer. */
    const ask: AskTool = async (name, args = {}) => {
      const idempotencyKey = `${summaries.en.length}`;
      const sent = isWrite(toolsByName.get(name)!) ? { ...args, idempotencyKey } : args;
      let body: Awaited<ReturnType<AskTool>>;
      for (const lang of LANGS) {
        const result = await callIn[lang](name, sent);
        summaries[lang].push([
          `${name} ${JSON.stringify(args)}`,
          firstText(result).replace(ADDRESS, '').replace(REPLAY, ''),
        ]);
        body ??= bodyOf(result);
      }
      return body;
    };
    await callEveryTool(ask);
    await callWithReadings(ask);
  });
});

it('every tool has been called', () => {
  const called = new Set(summaries.en.map(([call]) => call.split(' ')[0]));
  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort());
});

it.each(['fr', 'es'] as const)('every summary is in English in a session in %s too', (lang) => {
  expect(summaries[lang]).toEqual(summaries.en);
});
