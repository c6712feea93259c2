import { it } from 'vitest';
import { isWrite } from '../../src/operation/operation-kind.ts';
import { toolsByName } from '../../tools/index.ts';
import { usBaseFarmForFile } from '../base-farm.ts';
import { callEveryTool, callWithReadings } from '../mcp/every-tool-call.ts';
import { importReadingsOfNorth1, REPLAY } from '../mcp/every-tool-farm.ts';
import { toolsOf } from '../mcp/local-tools.ts';
import { withSecondStore } from '../stores/stores.ts';
import { bodyOf, firstText, type Json } from '../tool-results.ts';
import { questionOf, recordedAnswer } from './recorded-answer.ts';
import { expectRecorded } from './recording.ts';

it('every answer to a farm with US units is the one that was recorded', async () => {
  const db = await usBaseFarmForFile();
  await importReadingsOfNorth1(db);
  const said: Record<string, Json> = {};

  await withSecondStore(db, async (store) => {
    const call = toolsOf(store, { lang: 'en' });
    const ask = async (name: string, args: Record<string, unknown> = {}): Promise<Json> => {
      const idempotencyKey = `${Object.keys(said).length}`;
      const isOnce = isWrite(toolsByName.get(name)!);
      const sent = isOnce ? { ...args, idempotencyKey } : args;
      const result = await call(name, sent);
      const answer = recordedAnswer(result);
      const replay = isOnce && REPLAY.exec(firstText(await call(name, sent)))?.[0];
      said[questionOf(Object.keys(said).length, name, args)] = {
        ...answer,
        ...(replay ? { replay } : {}),
      };
      return bodyOf(result);
    };
    await callEveryTool(ask);
    await callWithReadings(ask);
  });

  await expectRecorded('us-answers', said);
});
