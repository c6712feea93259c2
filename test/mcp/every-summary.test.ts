import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, expect, it } from 'vitest';
import { LANGS, type Lang } from '../../src/domain/lang.ts';
import { isWrite } from '../../src/operation/operation-kind.ts';
import { tools, toolsByName } from '../../tools/index.ts';
import { baseFarmForFile } from '../base-farm.ts';
import { questionOf, recordedAnswer } from '../recorded/recorded-answer.ts';
import { expectRecorded } from '../recorded/recording.ts';
import { withSecondStore } from '../stores/stores.ts';
import { bodyOf, firstText, type Json } from '../tool-results.ts';
import { type AskTool, callEveryTool, callWithReadings } from './every-tool-call.ts';
import { importReadingsOfNorth1, REPLAY } from './every-tool-farm.ts';
import { type CallTool, toolsOf } from './local-tools.ts';

/** Contains a secret of its own in each session. */
const ADDRESS = / https?:\/\/\S+/;

type NamedSummary = readonly [call: string, summary: string];

const summaries: Record<Lang, NamedSummary[]> = { en: [], fr: [], es: [] };
/** The answers in the English session, with what the others add. */
const said: Record<string, Json> = {};

/** A replay says more before the first answer, and a picture is in the language of the person. */
function addOfOtherSession(answer: Json, result: CallToolResult, lang: Lang): void {
  const replay = REPLAY.exec(firstText(result))?.[0];
  if (lang === 'fr' && replay !== undefined) answer.replay = replay;
  const { picture } = recordedAnswer(result);
  if (picture !== undefined) answer[`picture in ${lang}`] = picture;
}

beforeAll(async () => {
  const db = await baseFarmForFile();
  await importReadingsOfNorth1(db);
  await withSecondStore(db, async (store) => {
    const callIn = Object.fromEntries(
      LANGS.map((lang) => [lang, toolsOf(store, { lang })]),
    ) as Record<Lang, CallTool>;
    /** A write is done once; by its key, the sessions in other languages get the same answer. */
    const ask: AskTool = async (name, args = {}) => {
      const idempotencyKey = `${summaries.en.length}`;
      const question = questionOf(summaries.en.length, name, args);
      const sent = isWrite(toolsByName.get(name)!) ? { ...args, idempotencyKey } : args;
      let body: Awaited<ReturnType<AskTool>>;
      for (const lang of LANGS) {
        const result = await callIn[lang](name, sent);
        summaries[lang].push([
          `${name} ${JSON.stringify(args)}`,
          firstText(result).replace(ADDRESS, '').replace(REPLAY, ''),
        ]);
        if (lang === 'en') said[question] = recordedAnswer(result);
        else addOfOtherSession(said[question], result, lang);
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

it('every answer is the one that was recorded', () => expectRecorded('answers', said));
