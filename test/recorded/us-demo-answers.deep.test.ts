import { it } from 'vitest';
import { callDemoFarm, newDemoFarm } from '../mcp/aloud/demo-calls.ts';
import { REFUSED_CALLS } from '../mcp/aloud/refused-calls.ts';
import { type CallTool, toolsOf } from '../mcp/local-tools.ts';
import { executeStatements, withSecondStore } from '../stores/stores.ts';
import type { Json } from '../tool-results.ts';
import { recordingTo } from './recorded-answer.ts';
import { expectRecorded } from './recording.ts';

async function onUsDemoFarm(
  prefix: string,
  makeCalls: (call: CallTool) => Promise<void>,
): Promise<void> {
  const db = await newDemoFarm();
  await executeStatements(db, "update companies set units = 'us'");
  const said: Record<string, Json> = {};
  await withSecondStore(db, (store) =>
    makeCalls(recordingTo(said, prefix, toolsOf(store, { lang: 'en' }))),
  );
  await expectRecorded('us-demo-answers', said, prefix);
}

it('every answer on the demo farm with US units is the one that was recorded', () =>
  onUsDemoFarm('call ', callDemoFarm));

it('every refusal on the demo farm with US units is the one that was recorded', () =>
  onUsDemoFarm('refusal ', async (call) => {
    for (const [tool, args] of REFUSED_CALLS) await call(tool, args);
  }));
